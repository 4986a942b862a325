// The behaviour of custom objects (registry/kind/kind_behaviour.h), according to their definition.

#include <algorithm>
#include <cassert>

#include "base/go/text.h"
#include "codec/json_reader.h"
#include "custom/objects/custom_kind.h"
#include "custom/objects/strategy.h"
#include "custom/objects/validate.h"
#include "custom/objects/versions.h"
#include "custom/schema/accessor_problem.h"
#include "custom/schema/coerce.h"
#include "registry/meta/member_path.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;

Value stored_tree(const store::Record& record, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(std::string_view(record.bytes).substr(1), arena);
  assert(read.ok());
  return read.value;
}

// Returns true if decoding adds a default status: new objects are stored without one.
bool gets_default_status(const CustomVersion& version, const Value& object) {
  const schema::Structural* status = version.structural->root().property("status");
  return status != nullptr && status->default_value != nullptr && object.find("status") == nullptr;
}

// Returns true if decoding drops fields: those that a webhook has added. May drop them in `object`.
bool has_unknown_fields(const CustomVersion& version, const Value& object, json::Arena& arena) {
  Value copy = object.shallow_copy(arena);
  std::vector<std::string> unknown;
  schema::prune(copy, version.structural->root(), schema::Whole::kObject, arena, &unknown);
  return !unknown.empty();
}

}  // namespace

const CustomVersion* version_of(const ResourceType& type) {
  return type.built_in() ? nullptr : static_cast<const CustomVersion*>(type.behaviour);
}

schema::DecodeResult CustomVersion::decode(const Value& raw, json::Arena& arena,
                                           DecodeFor what) const {
  return custom::decode(*this, raw, arena, what);
}

void CustomVersion::normalise_applied(Value& object, json::Arena& arena) const {
  schema::prune_nulls(object, structural->root(), arena);
}

void CustomVersion::apply_defaults(const HookContext& context, Value& object) const {
  schema::apply_defaults(object, structural->root(), context.arena);
}

Result<void> CustomVersion::check_served() const {
  if (kind->webhook() == nullptr || kind->webhook()->usable) return {};
  return errors::internal_error("error resolving resource");
}

Result<void> CustomVersion::check_creatable(std::string_view name) const {
  if (!kind->terminating()) return {};
  return errors::forbidden(type.group_resource(), name,
                           "create not allowed while custom resource definition is terminating");
}

bool CustomVersion::check_identity(const Value& object, field::ErrorList& errors) const {
  return check_kind(*this, object, errors);
}

void CustomVersion::validate(const Change& change, field::ErrorList& errors,
                             std::vector<std::string>* warnings) const {
  custom::validate(*this, change.subresource, change.object, change.old, errors, warnings);
}

void CustomVersion::warn(const Change& change, Warnings& out) const {
  if (change.subresource == Subresource::kNone) finalizer_warnings(change.object, change.old, out);
}

GroupResource CustomVersion::kind_of(const Value& object) const {
  const std::string_view named = object.string_at("apiVersion");
  const std::size_t slash = named.find('/');
  return {std::string(slash == std::string_view::npos ? "" : named.substr(0, slash)),
          std::string(object.string_at("kind"))};
}

EncodedObject CustomVersion::to_storage(const Value& object, VersionMember version,
                                        json::Arena& arena, PendingWork* pending) const {
  const CustomVersion& storage = kind->storage_version();
  const bool asks = this != &storage && may_need_webhook();
  // Control loops do not call webhooks: their objects are stored in the version in which they
  // write.
  if (asks && pending == nullptr) return encode_sorted(object, version);
  Value stored = converted(storage, object, arena, pending);
  if (asks) {
    (void)conform(stored, storage.structural->root(), arena, {.stored = true});
  }
  EncodedObject encoded = encode_sorted(stored, version);
  if (this == &storage && !gets_default_status(*this, stored) &&
      !has_unknown_fields(*this, stored, arena)) {
    encoded.places.form = type.id;
  }
  return encoded;
}

Value CustomVersion::from_storage(const store::Record& record, json::Arena& arena,
                                  PendingWork* pending) const {
  return in_served_version(*this, stored_tree(record, arena), arena, pending);
}

Value CustomVersion::convert(const Value& object, const ResourceType& /*from*/, json::Arena& arena,
                             PendingWork* pending) const {
  return converted(*this, object, arena, pending);
}

patch::Shape CustomVersion::shape() const {
  return patch::Shape::of_custom_object(structural->root());
}

std::string CustomVersion::unknown_version_error(std::string_view api_version) const {
  return "request to convert CR to an invalid group/version: " + std::string(api_version);
}

bool CustomVersion::may_need_webhook() const { return kind->webhook() != nullptr; }

const ResourceType& CustomVersion::version_of(const store::Record& record) const {
  if (!may_need_webhook() || is_stored_in_version(type, record)) return type;
  json::Arena arena;
  const CustomVersion* own = kind->find_version(stored_tree(record, arena).string_at("apiVersion"));
  return own == nullptr ? type : own->type;
}

ScaleFields CustomVersion::scale() const {
  return {scale_paths.replicas, scale_paths.status_replicas, false};
}

std::string CustomVersion::scale_selector(const Value& object) const {
  const Value* text = value_at(object, scale_paths.selector);
  return text != nullptr && text->is_string() ? std::string(text->as_string()) : std::string();
}

Result<void> CustomVersion::check_scale(const Value& object) const {
  for (const std::string_view path : {scale_paths.replicas, scale_paths.status_replicas}) {
    const Value* value = value_at(object, path);
    if (value == nullptr || value->is_int()) continue;
    return errors::plain_error(replicas_error(path, *value));
  }
  if (value_at(object, scale_paths.replicas) != nullptr) return {};
  return errors::internal_error("the spec replicas field " + go_quote(scale_paths.replicas) +
                                " does not exist");
}

}  // namespace tabernetes::registry::custom

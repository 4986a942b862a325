// Tested by tests/core/server/patching_test.cc and tests/package/patch.test.mjs.
#include <optional>
#include <utility>

#include "base/rfc3339.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/duplicates.h"
#include "patch/field_owners.h"
#include "schema/decode.h"
#include "server/answer.h"
#include "server/patch_document.h"
#include "server/type_meta.h"
#include "tabernetes/patch.h"

namespace tabernetes {
namespace {

using json::Value;
using server::PatchDocument;
using server::PatchType;

const schema::Catalogue& catalogue() { return schema::Catalogue::built_in(); }

std::string json_of(const Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

std::string failure_of(const ApiStatus& status) {
  json::Arena arena;
  return json_of(server::status_tree(status, arena));
}

// An object that is there already, in its typed form if its kind is a built-in one.
struct Known {
  Value object;
  const schema::Type* type = nullptr;
};

Result<Known> read_known(std::string_view text, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(text, arena);
  if (!read.ok()) return make_unexpected(errors::bad_request(read.error));
  if (!read.value.is_object()) {
    return make_unexpected(errors::bad_request("an object is expected"));
  }
  Known known{read.value, schema::type_of_object(catalogue(), read.value)};
  json::remove_duplicates(known.object, arena);
  if (known.type == nullptr) return known;
  const schema::DecodeResult decoded = schema::decode_typed(*known.type, known.object, arena);
  if (!decoded.error.empty()) return make_unexpected(errors::bad_request(decoded.error));
  known.object = decoded.value;
  return known;
}

server::PatchTarget target_of(const Known& known) {
  return {catalogue(), server::read_type_meta(known.object, {}).gvk, known.type};
}

Result<Patched> try_patch(std::string_view object, std::string_view patch,
                          const PatchOptions& options) {
  json::Arena arena;
  const auto type = server::patch_type_named(options.media_type);
  TAB_TRY(const Known known, read_known(object, arena));
  if (!type || (known.type == nullptr && *type == PatchType::kStrategic)) {
    return make_unexpected(server::unknown_patch_type({.strategic = known.type != nullptr}));
  }
  const auto validation = options.unknown == UnknownFields::kRefuse
                              ? server::FieldValidation::kStrict
                              : server::FieldValidation::kWarn;
  TAB_TRY(const PatchDocument document, server::read_patch(patch, *type, validation, arena));
  TAB_TRY(server::PatchedObject patched,
          server::apply_patch(target_of(known), document, known.object, arena));
  return Patched{{}, json_of(patched.object), std::move(patched.strict_errors)};
}

FieldManager manager_of(const patch::ManagedEntry& entry) {
  return {entry.manager, std::string(patch::name_of(entry.operation)), entry.api_version,
          entry.subresource, entry.time ? format_rfc3339(*entry.time) : std::string()};
}

Result<FieldOwners> try_owners(std::string_view text) {
  json::Arena arena;
  TAB_TRY(const Known known, read_known(text, arena));
  const Value* list = known.object.at({"metadata", "managedFields"});
  const auto entries = patch::read_managed_fields(list == nullptr ? Value::null() : *list);
  if (!entries) {
    return make_unexpected(errors::bad_request("metadata.managedFields cannot be read"));
  }
  FieldOwners owners;
  const auto shape =
      known.type == nullptr ? std::nullopt : std::optional(patch::Shape::of_type(*known.type));
  for (patch::OwnedField& field : patch::owned_fields(*entries, known.object, shape)) {
    OwnedField owned{std::move(field.path), std::move(field.pointer), {}};
    for (const patch::ManagedEntry* owner : field.owners) {
      owned.managers.push_back(manager_of(*owner));
    }
    owners.fields.push_back(std::move(owned));
  }
  return owners;
}

// What was asked for, or what has failed.
template <class T>
T finished(Result<T> result) {
  if (result) return std::move(*result);
  T failed;
  failed.failure = failure_of(result.error());
  return failed;
}

}  // namespace

Patched apply_patch(std::string_view object, std::string_view patch, const PatchOptions& options) {
  return finished(try_patch(object, patch, options));
}

FieldOwners field_owners(std::string_view object) { return finished(try_owners(object)); }

}  // namespace tabernetes

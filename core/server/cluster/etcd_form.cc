#include "server/cluster/etcd_form.h"

#include <utility>

#include "codec/json_reader.h"
#include "codec/json_unknown.h"
#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "codec/protobuf_unknown.h"
#include "codec/protobuf_writer.h"
#include "controllers/api/event_expiry.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/life/write.h"
#include "registry/objects/object_record.h"
#include "server/cluster/etcd_definition.h"

namespace tabernetes::server {
namespace {

using json::Value;
using registry::ResourceType;

// The versions in which 1.36 stores these kinds are older than the ones that it serves.
struct OlderVersion {
  std::string_view path, api_version;
};
constexpr OlderVersion kOlderVersions[] = {
    {"apiextensions.k8s.io/customresourcedefinitions", "apiextensions.k8s.io/v1beta1"},
    {"mutatingadmissionpolicies", "admissionregistration.k8s.io/v1beta1"},
    {"mutatingadmissionpolicybindings", "admissionregistration.k8s.io/v1beta1"},
};

std::string_view stored_version(const ResourceType& type) {
  for (const OlderVersion& older : kOlderVersions) {
    if (older.path == type.etcd_path) return older.api_version;
  }
  return type.api_version;
}

// Returns the path up to its first or second slash.
std::string_view first_segments(std::string_view path, int count) {
  std::size_t end = path.find('/');
  if (count == 2 && end != std::string_view::npos) end = path.find('/', end + 1);
  return end == std::string_view::npos ? std::string_view() : path.substr(0, end);
}

Value with_type_meta(std::string_view kind, std::string_view api_version, const Value& members,
                     json::Arena& arena) {
  Value object = Value::object(arena);
  object.append(arena, "kind", Value::string(kind));
  object.append(arena, "apiVersion", Value::string(api_version));
  for (const json::Member& member : members.members()) {
    if (member.key == "kind" || member.key == "apiVersion") continue;
    object.append(arena, member.key, member.value);
  }
  return object;
}

void drop_version(Value& object) {
  if (Value* metadata = object.find("metadata"); metadata != nullptr) {
    metadata->erase("resourceVersion");
  }
}

// The kinds without a protobuf form in etcd.
bool is_json(const ResourceType& type) {
  return type.etcd_path.starts_with("apiextensions.k8s.io/") ||
         type.etcd_path.starts_with("apiregistration.k8s.io/");
}

// The members of a v1beta1 definition that v1 has elsewhere or by another name.
constexpr std::string_view kOnlyInV1beta1[] = {"version",
                                               "validation",
                                               "subresources",
                                               "selectableFields",
                                               "webhookClientConfig",
                                               "additionalPrinterColumns",
                                               "JSONPath",
                                               "preserveUnknownFields",
                                               "conversionReviewVersions"};

codec::UnknownFields unknown_in_json(const ResourceType& type, std::string_view value) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(value, arena);
  if (!read.ok() || read.value.string_at("kind") != type.resource->kind ||
      read.value.string_at("apiVersion") != stored_version(type)) {
    return {};
  }
  return codec::find_unknown_members(*type.resource->type, read.value, kOnlyInV1beta1);
}

// Returns the type of that version, or null.
const ResourceType* version_named(const std::vector<const ResourceType*>& types,
                                  std::string_view api_version, std::string_view kind) {
  for (const ResourceType* type : types) {
    if (type->api_version == api_version && type->resource->kind == kind) return type;
  }
  // The older versions that are stored have the fields of the newer ones.
  const bool older =
      stored_version(*types.front()) == api_version && types.front()->resource->kind == kind;
  return older ? types.front() : nullptr;
}

// Returns an object of `types` with kind and apiVersion of its version, or nullopt.
std::optional<std::pair<const ResourceType*, Value>> read_tree(
    const std::vector<const ResourceType*>& types, std::string_view value, json::Arena& arena) {
  if (value.starts_with('{')) {
    const codec::JsonRead read = codec::read_json(value, arena);
    if (!read.ok() || !read.value.is_object()) return std::nullopt;
    const ResourceType* type =
        version_named(types, read.value.string_at("apiVersion"), read.value.string_at("kind"));
    if (type == nullptr) return std::nullopt;
    Value object = with_type_meta(type->resource->kind, type->api_version, read.value, arena);
    if (read.value.string_at("apiVersion") == kOlderVersions[0].api_version) {
      from_v1beta1_definition(object, arena);
    }
    return std::pair{type, object};
  }
  const codec::ProtobufEnvelope envelope = codec::read_protobuf_envelope(value);
  if (!envelope.error.empty()) return std::nullopt;
  const ResourceType* type = version_named(types, envelope.api_version, envelope.kind);
  if (type == nullptr || type->resource->type == nullptr) return std::nullopt;
  const codec::ProtobufRead read =
      codec::read_protobuf_message(*type->resource->type, envelope.message, arena);
  if (!read.ok()) return std::nullopt;
  return std::pair{type,
                   with_type_meta(type->resource->kind, type->api_version, read.value, arena)};
}

registry::ReadValue as_record(registry::EncodedObject encoded, store::Revision revision,
                              bool formed) {
  return {std::static_pointer_cast<registry::ObjectRecord>(
              registry::make_record(std::move(encoded), revision)),
          formed};
}

registry::ReadValue read_custom(const ResourceType& type, std::string_view value,
                                store::Revision revision) {
  json::Arena arena;
  const codec::JsonRead read = codec::read_json(value, arena);
  if (!read.ok() || !read.value.is_object() || read.value.find("metadata") == nullptr) return {};
  const bool formed = read.value.string_at("apiVersion") == type.api_version;
  return as_record(registry::encode_sorted(read.value, registry::VersionMember::kPresent), revision,
                   formed);
}

}  // namespace

EtcdPaths::EtcdPaths(const registry::ResourceTable& resources) {
  for (const ResourceType* type : resources.all()) {
    if (!type->built_in()) continue;
    auto& types = types_[type->stored_as().etcd_path];
    types.insert(type->stores() ? types.begin() : types.end(), type);
  }
}

const std::vector<const ResourceType*>* EtcdPaths::find(std::string_view path) const {
  for (const int count : {2, 1}) {
    const auto found = types_.find(first_segments(path, count));
    if (found != types_.end()) return &found->second;
  }
  return nullptr;
}

std::string EtcdForm::path_of(std::string_view key) const {
  const ResourceType* type = resources_.find_key(key);
  if (type == nullptr || !type->built_in()) return std::string(key);
  return type->etcd_path + "/" + std::string(key.substr(type->key_prefix.size()));
}

std::string EtcdForm::key_of(std::string_view path) const {
  if (const auto* types = paths_.find(path)) {
    const ResourceType& type = *types->front();
    return type.key_prefix + std::string(path.substr(type.etcd_path.size() + 1));
  }
  const ResourceType* type = resources_.find_key(path);
  return type == nullptr || type->built_in() ? std::string() : std::string(path);
}

std::uint64_t EtcdForm::ttl_of(std::string_view key) const {
  return key.starts_with("core/events/")
             ? static_cast<std::uint64_t>(controllers::kEventTtl.nanoseconds / 1'000'000'000)
             : 0;
}

std::string EtcdForm::write(const store::Record& record,
                            const codec::UnknownFields& unknown) const {
  json::Arena arena;
  std::string out;
  const ResourceType* type = resources_.find_key(record.key);
  if (type == nullptr) return out;
  if (!type->built_in()) {
    const codec::JsonRead read = codec::read_json(std::string_view(record.bytes).substr(1), arena);
    Value object = read.value;
    drop_version(object);
    codec::write_json(object, out);
    out += '\n';
    return out;
  }
  Value object = registry::read_object(*type, record, arena);
  drop_version(object);
  if (is_json(*type)) {
    if (stored_version(*type) == kOlderVersions[0].api_version) {
      to_v1beta1_definition(object, arena);
    }
    object.set(arena, "apiVersion", Value::string(stored_version(*type)));
    codec::add_unknown_members(*type->resource->type, unknown, object, arena);
    codec::write_json(object, out);
    out += '\n';
    return out;
  }
  std::string message;
  if (!codec::write_protobuf_message(*type->resource->type, object, message)) {
    // It nests too deep; kube-apiserver reads JSON as well.
    codec::write_json(object, out);
    return out;
  }
  if (!unknown.empty()) {
    message = codec::with_unknown_fields(*type->resource->type, message, unknown);
  }
  codec::write_protobuf_envelope_head(stored_version(*type), type->resource->kind, message.size(),
                                      out);
  out += message;
  out += codec::kProtobufEnvelopeTail;
  return out;
}

codec::UnknownFields EtcdForm::unknown_fields(std::string_view path, std::string_view value) const {
  const auto* types = paths_.find(path);
  if (types == nullptr) return {};
  // Numbers of fields are those of a version: the one that is written.
  const ResourceType& type = *types->front();
  if (value.starts_with('{')) {
    return is_json(type) ? unknown_in_json(type, value) : codec::UnknownFields();
  }
  const codec::ProtobufEnvelope envelope = codec::read_protobuf_envelope(value);
  if (!envelope.error.empty() || envelope.kind != type.resource->kind ||
      envelope.api_version != stored_version(type) || type.resource->type == nullptr) {
    return {};
  }
  return codec::find_unknown_fields(*type.resource->type, envelope.message);
}

registry::ReadValue EtcdForm::read(registry::Registry& registry, Time now, std::string_view path,
                                   std::string_view value, store::Revision revision) const {
  const auto* types = paths_.find(path);
  if (types == nullptr) {
    const ResourceType* type = resources_.find_key(path);
    return type == nullptr ? registry::ReadValue() : read_custom(*type, value, revision);
  }
  json::Arena arena;
  const auto read = read_tree(*types, value, arena);
  if (!read) return {};
  const auto& [type, raw] = *read;
  schema::DecodeResult decoded = type->behaviour->decode(raw, arena, registry::DecodeFor::kObject);
  if (!decoded.error.empty() || decoded.value.find("metadata") == nullptr) return {};
  Value object = decoded.value;
  const registry::WriteContext context{.arena = arena, .now = now};
  type->behaviour->apply_defaults(registry.hook_context(context), object);
  object = registry::redecode(*type, object, arena);
  return as_record(
      registry::encode_for_storage(*type, object, registry::VersionMember::kPresent, arena),
      revision, false);
}

}  // namespace tabernetes::server

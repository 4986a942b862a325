#include "registry/ownership/object_versions.h"

#include "registry/kind/kind_behaviour.h"
#include "schema/decode.h"

namespace tabernetes::registry {

using json::Value;

// Returns null if the resource has no such version.
const ResourceType* ObjectVersions::find(std::string_view api_version) const {
  if (type_ == nullptr || api_version == type_->api_version) return type_;
  const ResourceType* stored = &type_->stored_as();
  if (api_version == stored->api_version) return stored;
  for (const ResourceType* other : resources_->all()) {
    if (other->key_prefix == type_->key_prefix && other->api_version == api_version) return other;
  }
  return nullptr;
}

std::optional<patch::Shape> ObjectVersions::shape(std::string_view api_version) const {
  if (type_ == nullptr) return patch::Shape::of_type(schema_);
  const ResourceType* type = find(api_version);
  if (type == nullptr) return std::nullopt;
  return type->behaviour->shape();
}

Value ObjectVersions::convert(const Value& object, std::string_view api_version,
                              json::Arena& arena) const {
  const std::string_view from = object.string_at("apiVersion");
  if (type_ == nullptr || from == api_version) return object;
  const ResourceType* type = find(from);
  if (type == nullptr) type = type_;  // an invalid version
  return in_version(*type, *find(api_version), object, arena, pending_);
}

Value in_version(const ResourceType& from, const ResourceType& to, const Value& object,
                 json::Arena& arena, PendingWork* pending) {
  return to.behaviour->convert(object, from, arena, pending);
}

Value ObjectVersions::zero(std::string_view api_version, json::Arena& arena) const {
  const ResourceType* type = find(api_version);
  const schema::Type& schema = type == nullptr ? schema_ : *type->resource->type;
  Value object = Value::object(arena);
  object.append(arena, "kind", Value::string(schema.kind));
  object.append(arena, "apiVersion", Value::string(arena.copy(api_version)));
  return schema::decode_typed(schema, object, arena).value;
}

std::string ObjectVersions::problem_of_unknown(std::string_view api_version) const {
  return type_ == nullptr ? std::string() : type_->behaviour->unknown_version_error(api_version);
}

}  // namespace tabernetes::registry

#include "registry/object_versions.h"

#include "registry/conversion.h"
#include "registry/crd/custom_kind.h"
#include "registry/crd/forms.h"
#include "registry/object_record.h"
#include "schema/decode.h"

namespace tabernetes::registry {

using json::Value;

// Null: the objects have no such version.
const ResourceType* ObjectVersions::find(std::string_view api_version) const {
  if (type_ == nullptr || api_version == type_->api_version) return type_;
  const ResourceType* stored = &type_->stored_as();
  if (api_version == stored->api_version) return stored;
  for (const ResourceType* other : resources_->all()) {
    const bool same = type_->custom != nullptr ? other->key_prefix == type_->key_prefix
                                               : other->storage == stored;
    if (same && other->api_version == api_version) return other;
  }
  return nullptr;
}

std::optional<patch::Shape> ObjectVersions::shape(std::string_view api_version) const {
  if (type_ == nullptr) return patch::Shape::of_type(schema_);
  const ResourceType* type = find(api_version);
  if (type == nullptr) return std::nullopt;
  if (type->custom != nullptr) {
    return patch::Shape::of_custom_object(type->custom->structural->root());
  }
  return patch::Shape::of_type(*type->resource->type);
}

Value ObjectVersions::convert(const Value& object, std::string_view api_version,
                              json::Arena& arena) const {
  const std::string_view from = object.string_at("apiVersion");
  if (type_ == nullptr || from == api_version) return object;
  const ResourceType* type = find(from);
  if (type == nullptr) type = type_;  // it says nonsense
  return in_version(*type, *find(api_version), object, arena, pending_);
}

Value in_version(const ResourceType& from, const ResourceType& to, const Value& object,
                 json::Arena& arena, PendingWork* pending) {
  if (from.custom != nullptr) return crd::converted(*to.custom, object, arena, pending);
  Value stored = object;
  if (from.conversion != nullptr) {
    stored = schema::decode_typed(*from.storage->resource->type,
                                  from.conversion->to_storage(object, arena), arena)
                 .value;
  }
  return served_form(to, stored, arena);
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
  if (type_ == nullptr || type_->custom == nullptr) return {};
  return "request to convert CR to an invalid group/version: " + std::string(api_version);
}

}  // namespace tabernetes::registry

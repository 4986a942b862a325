#include "registry/meta/object_meta.h"

namespace tabernetes::registry {

using json::Value;

ObjectMeta::ObjectMeta(Value& object, json::Arena& arena) : arena_(&arena) {
  Value* metadata = object.find("metadata");
  if (metadata == nullptr || !metadata->is_object()) {
    object.set(arena, "metadata", Value::object(arena));
    metadata = object.find("metadata");
  }
  metadata_ = metadata;
}

std::optional<std::int64_t> ObjectMeta::integer(std::string_view field) const {
  const Value* value = metadata_->find(field);
  if (value == nullptr || !value->is_int()) return std::nullopt;
  return value->as_int();
}

bool ObjectMeta::has_finalizers() const {
  const Value* finalizers = metadata_->find("finalizers");
  return finalizers != nullptr && finalizers->size() > 0;
}

void ObjectMeta::take(std::string_view field, const Value* other_metadata) {
  const Value* value = other_metadata == nullptr ? nullptr : other_metadata->find(field);
  if (value == nullptr) {
    erase(field);
  } else {
    metadata_->set(*arena_, field, *value);
  }
}

}  // namespace tabernetes::registry

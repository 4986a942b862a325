#include "registry/crd/conversions.h"

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/sort_deep.h"

namespace tabernetes::registry::crd {
namespace {

using json::Value;

ObjectText text_of(const Value& object, json::Arena& arena) {
  const Value copy = object.clone(arena);
  copy.find("metadata")->erase("resourceVersion");
  json::sort_deep(copy);
  ObjectText text;
  codec::write_json(copy, text);
  return text;
}

// The webhook's object with the metadata that it cannot change.
Value restored(Value made, const Value& original, json::Arena& arena) {
  const Value given = *made.find("metadata");
  Value metadata = original.find("metadata")->shallow_copy(arena);
  for (const std::string_view name : {"labels", "annotations"}) {
    const Value* map = given.find(name);
    if (map == nullptr || map->is_null()) {
      metadata.erase(name);
    } else {
      metadata.set(arena, name, *map);
    }
  }
  made.set(arena, "metadata", metadata);
  return made;
}

}  // namespace

thread_local Conversions* Conversions::current_ = nullptr;

Value Conversions::convert(const CustomVersion& to, const Value& object, json::Arena& arena) {
  Wanted wanted{to.kind->shared_from_this(), &to, text_of(object, arena)};
  const auto known = known_.find(wanted.key());
  if (known == known_.end()) {
    wanted_.push_back(std::move(wanted));
  } else if (known->second.error.empty()) {
    return restored(codec::read_json(known->second.text, arena).value, object, arena);
  } else if (!failure_) {
    failure_ = known->second.error;
  }
  return {};
}

Result<void> check_conversions() {
  const Conversions* conversions = Conversions::current();
  if (conversions == nullptr) return {};
  if (conversions->incomplete()) {
    return errors::plain_error("conversion webhooks are not called while a manifest is loaded");
  }
  if (conversions->failure()) return errors::plain_error(*conversions->failure());
  return {};
}

bool needs_webhook(const ResourceType& type) {
  return type.custom != nullptr && type.custom->kind->webhook() != nullptr;
}

}  // namespace tabernetes::registry::crd

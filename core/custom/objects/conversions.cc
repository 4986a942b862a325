#include "custom/objects/conversions.h"

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "json/sort_deep.h"

namespace tabernetes::registry::custom {
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

// Returns the webhook's object with the metadata that a webhook cannot change.
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

ConversionQuestion::ConversionQuestion(const CustomVersion& version, ObjectText text)
    : Question(kConversion, std::to_string(version.type.id) + text),
      owner_(version.kind->shared_from_this(), version.kind),
      to_(&version),
      object_(std::move(text)) {}

Value convert_by_webhook(const CustomVersion& to, const Value& object, json::Arena& arena,
                         PendingWork& pending) {
  const PendingWork::Answer* answer =
      pending.ask(std::make_unique<const ConversionQuestion>(to, text_of(object, arena)));
  if (answer == nullptr) return {};
  if (answer->error.empty()) {
    return restored(codec::read_json(answer->text, arena).value, object, arena);
  }
  pending.fail(answer->error);
  return {};
}

}  // namespace tabernetes::registry::custom

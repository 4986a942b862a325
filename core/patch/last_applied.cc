#include "patch/last_applied.h"

#include <string>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "patch/typed.h"

namespace tabernetes::patch {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kAnnotation = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kMostAnnotationBytes = 256 * 1024;

std::string_view annotation_of(const Value& object) {
  const Value* annotations = object.at({"metadata", "annotations"});
  return annotations == nullptr ? std::string_view() : annotations->string_at(kAnnotation);
}

// Returns the object with its annotations replaced, or removed if null.
Value with_annotations(const Value& object, const Value& annotations, Arena& arena) {
  Value copy = object.shallow_copy(arena);
  Value metadata = object.find("metadata")->shallow_copy(arena);
  if (annotations.is_null()) {
    metadata.erase("annotations");
  } else {
    metadata.set(arena, "annotations", annotations);
  }
  copy.set(arena, "metadata", metadata);
  return copy;
}

// Returns the annotations other than kubectl's.
Value other_annotations(const Value& object, Arena& arena) {
  Value others = Value::object(arena);
  const Value* annotations = object.at({"metadata", "annotations"});
  if (annotations == nullptr || !annotations->is_object()) return others;
  for (const json::Member& member : annotations->members()) {
    if (member.key != kAnnotation) others.append(arena, member.key, member.value);
  }
  return others;
}

Value sorted(const Value& value, Arena& arena) {
  Value copy = value.clone(arena);
  std::vector<Value> open = {copy};
  while (!open.empty()) {
    Value next = open.back();
    open.pop_back();
    if (next.is_object()) {
      next.sort_members();
      for (const json::Member& member : next.members()) open.push_back(member.value);
    } else if (next.is_array()) {
      for (const Value& item : next.items()) open.push_back(item);
    }
  }
  return copy;
}

std::string text_of(const Value& config, Arena& arena) {
  Value shown = config;
  if (!annotation_of(config).empty()) {
    shown = with_annotations(config, other_annotations(config, arena), arena);
  }
  std::string text;
  codec::write_json(sorted(shown, arena), text);
  return text + "\n";
}

std::size_t bytes_of(const Value& annotations) {
  std::size_t bytes = 0;
  for (const json::Member& member : annotations.members()) {
    bytes += member.key.size();
    if (member.value.is_string()) bytes += member.value.as_string().size();
  }
  return bytes;
}

}  // namespace

FieldSet fields_of_last_applied(const ObjectVersions& versions, const Value& live,
                                std::string_view api_version, Arena& arena) {
  const std::string_view text = annotation_of(live);
  const codec::JsonRead read = codec::read_json(text, arena);
  if (text.empty() || !read.ok() || read.value.string_at("apiVersion") != api_version) return {};
  const Shape shape = *versions.shape(api_version);
  if (!validate_typed(shape, read.value, Duplicates::kRefused).empty()) return {};
  const Comparison changes = compare_typed(shape, read.value, live);
  FieldSet fields = field_set_of(shape, read.value);
  for (const FieldSet* set : {&changes.added, &changes.modified, &changes.removed}) {
    fields.subtract(*set);
  }
  return fields;
}

Value with_last_applied(const Value& object, const Value& config, Arena& arena) {
  if (annotation_of(object).empty()) return object;
  Value annotations = other_annotations(object, arena);
  annotations.set(arena, kAnnotation, Value::string(arena.copy(text_of(config, arena))));
  annotations.sort_members();
  if (bytes_of(annotations) > kMostAnnotationBytes) annotations.erase(kAnnotation);
  return with_annotations(object, annotations, arena);
}

}  // namespace tabernetes::patch

#include "registry/partial_metadata.h"

#include "registry/meta_version.h"

namespace tabernetes::registry {

using json::Arena;
using json::Value;

namespace {

// Metadata is taken of the internal form of an object; this annotation is a field there, and
// becomes one only in apps/v1. Source: upstream 1.36 pkg/apis/apps/v1/conversion.go.
constexpr std::string_view kOnlyInVersion = "deprecated.daemonset.template.generation";

Value internal_metadata(const Value& metadata, Arena& arena) {
  const Value* annotations = metadata.find("annotations");
  if (annotations == nullptr || annotations->find(kOnlyInVersion) == nullptr) return metadata;
  Value shown = Value::object(arena);
  for (const json::Member& member : metadata.members()) {
    if (member.key != "annotations") {
      shown.append(arena, member.key, member.value);
    } else if (annotations->size() > 1) {
      Value others = annotations->clone(arena);
      others.erase(kOnlyInVersion);
      shown.append(arena, member.key, others);
    }
  }
  return shown;
}

}  // namespace

Value partial_metadata(const Value& object, std::string_view version, Arena& arena) {
  Value partial = Value::object(arena);
  partial.append(arena, "kind", Value::string("PartialObjectMetadata"));
  partial.append(arena, "apiVersion", Value::string(meta_api_version(version)));
  const Value* metadata = object.find("metadata");
  partial.append(arena, "metadata",
                 metadata != nullptr ? internal_metadata(*metadata, arena) : Value::object(arena));
  return partial;
}

Value partial_metadata_list(json::Range<Value> objects, const Value& list_metadata,
                            std::string_view version, Arena& arena) {
  Value items = Value::array(arena);
  for (const Value& object : objects) {
    items.push_back(arena, partial_metadata(object, version, arena));
  }
  Value list = Value::object(arena);
  list.append(arena, "kind", Value::string("PartialObjectMetadataList"));
  list.append(arena, "apiVersion", Value::string(meta_api_version(version)));
  list.append(arena, "metadata", list_metadata);
  list.append(arena, "items", objects.empty() ? Value::null() : items);  // as Go has an empty one
  return list;
}

}  // namespace tabernetes::registry

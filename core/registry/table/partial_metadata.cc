#include "registry/table/partial_metadata.h"

#include "registry/meta/meta_version.h"
#include "registry/objects/object_record.h"
#include "schema/decode.h"

namespace tabernetes::registry {

using json::Arena;
using json::Value;

namespace {

// Returns the annotation to hide, if any. Metadata is taken from an object's internal version, in
// which some annotations are fields; they become annotations only in some versions. Source:
// upstream 1.36 pkg/apis/apps/v1/conversion.go.
std::string_view field_annotation(const ResourceType* type, const Value& object) {
  const bool own = type != nullptr && object.string_at("kind") == type->resource->kind;
  return own ? type->strategy->field_annotation : std::string_view();
}

Value internal_metadata(const ResourceType* type, const Value& object, const Value& metadata,
                        Arena& arena) {
  const schema::Catalogue& catalogue = schema::Catalogue::built_in();
  // Metadata of custom resources is stored sorted by name; here it has the order of ObjectMeta.
  if (schema::type_of_object(catalogue, object) == nullptr) {
    return schema::decode_typed(catalogue.object_meta(), metadata, arena).value;
  }
  const std::string_view hidden = field_annotation(type, object);
  const Value* annotations = hidden.empty() ? nullptr : metadata.find("annotations");
  if (annotations == nullptr || !annotations->is_object()) return metadata;
  Value kept = Value::object(arena);
  for (const json::Member& member : annotations->members()) {
    if (member.key != hidden) kept.append(arena, member.key, member.value);
  }
  if (kept.size() == annotations->size()) return metadata;
  Value shown = Value::object(arena);
  for (const json::Member& member : metadata.members()) {
    const bool replaced = member.key == "annotations";
    if (!replaced || kept.size() > 0) {
      shown.append(arena, member.key, replaced ? kept : member.value);
    }
  }
  return shown;
}

}  // namespace

bool may_have_version_annotations(const ResourceType& type, const store::Record& record) {
  const std::string_view metadata =
      std::string_view(record.bytes).substr(0, offsets_of(record).metadata_end);
  const std::string_view annotation = type.strategy->field_annotation;
  return !annotation.empty() && metadata.find(annotation) != std::string_view::npos;
}

Value partial_metadata(const ResourceType* type, const Value& object, std::string_view version,
                       Arena& arena) {
  Value partial = Value::object(arena);
  partial.append(arena, "kind", Value::string("PartialObjectMetadata"));
  partial.append(arena, "apiVersion", Value::string(meta_api_version(version)));
  const Value* metadata = object.find("metadata");
  partial.append(arena, "metadata",
                 metadata != nullptr ? internal_metadata(type, object, *metadata, arena)
                                     : Value::object(arena));
  return partial;
}

Value partial_metadata_list(const ResourceType* type, json::Range<Value> objects,
                            const Value& list_metadata, std::string_view version, Arena& arena) {
  Value items = Value::array(arena);
  for (const Value& object : objects) {
    items.push_back(arena, partial_metadata(type, object, version, arena));
  }
  Value list = Value::object(arena);
  list.append(arena, "kind", Value::string("PartialObjectMetadataList"));
  list.append(arena, "apiVersion", Value::string(meta_api_version(version)));
  list.append(arena, "metadata", list_metadata);
  list.append(arena, "items", objects.empty() ? Value::null() : items);  // Go's empty list is nil
  return list;
}

}  // namespace tabernetes::registry

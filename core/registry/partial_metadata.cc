#include "registry/partial_metadata.h"

#include <algorithm>
#include <iterator>

#include "registry/meta_version.h"
#include "registry/object_record.h"
#include "schema/decode.h"

namespace tabernetes::registry {

using json::Arena;
using json::Value;

namespace {

// Metadata is taken of the internal form of an object, where these are fields: they become
// annotations only in these versions. Source: upstream 1.36 pkg/apis/apps/v1/conversion.go.
struct FieldOfVersion {
  std::string_view api_version, kind, annotation;
};
constexpr FieldOfVersion kOnlyInVersion[] = {
    {"apps/v1", "DaemonSet", "deprecated.daemonset.template.generation"},
    {"apps/v1", "Deployment", "deprecated.deployment.rollback.to"},
};

bool only_in_version(const Value& object, std::string_view annotation) {
  for (const FieldOfVersion& field : kOnlyInVersion) {
    if (annotation == field.annotation && object.string_at("kind") == field.kind &&
        object.string_at("apiVersion") == field.api_version) {
      return true;
    }
  }
  return false;
}

Value internal_metadata(const Value& object, const Value& metadata, Arena& arena) {
  const schema::Catalogue& catalogue = schema::Catalogue::built_in();
  // Metadata of custom resources is sorted by name, but not here.
  if (schema::type_of_object(catalogue, object) == nullptr) {
    return schema::decode_typed(catalogue.object_meta(), metadata, arena).value;
  }
  const Value* annotations = metadata.find("annotations");
  if (annotations == nullptr || !annotations->is_object()) return metadata;
  Value kept = Value::object(arena);
  for (const json::Member& member : annotations->members()) {
    if (!only_in_version(object, member.key)) kept.append(arena, member.key, member.value);
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

bool has_fields_of_version(const store::Record& record) {
  const std::string_view metadata =
      std::string_view(record.bytes).substr(0, places_of(record).metadata_end);
  return std::any_of(std::begin(kOnlyInVersion), std::end(kOnlyInVersion),
                     [&](const FieldOfVersion& field) {
                       return metadata.find(field.annotation) != std::string_view::npos;
                     });
}

Value partial_metadata(const Value& object, std::string_view version, Arena& arena) {
  Value partial = Value::object(arena);
  partial.append(arena, "kind", Value::string("PartialObjectMetadata"));
  partial.append(arena, "apiVersion", Value::string(meta_api_version(version)));
  const Value* metadata = object.find("metadata");
  partial.append(
      arena, "metadata",
      metadata != nullptr ? internal_metadata(object, *metadata, arena) : Value::object(arena));
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

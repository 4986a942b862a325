#include "registry/partial_metadata.h"

#include "registry/meta_version.h"

namespace tabernetes::registry {

using json::Arena;
using json::Value;

Value partial_metadata(const Value& object, std::string_view version, Arena& arena) {
  Value partial = Value::object(arena);
  partial.append(arena, "kind", Value::string("PartialObjectMetadata"));
  partial.append(arena, "apiVersion", Value::string(meta_api_version(version)));
  const Value* metadata = object.find("metadata");
  partial.append(arena, "metadata", metadata != nullptr ? *metadata : Value::object(arena));
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
  list.append(arena, "items", items);
  return list;
}

}  // namespace tabernetes::registry

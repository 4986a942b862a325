// PartialObjectMetadata: the metadata of an object alone. Source: spec/rest.md 5.3.
#pragma once

#include <string_view>

#include "json/value.h"
#include "registry/kind/resource_type.h"
#include "store/record.h"

namespace tabernetes::registry {

// Returns PartialObjectMetadata. `object` is in its stored version; `type` is its type, or null.
// `version` is "v1" or "v1beta1" of meta.k8s.io. The result shares the metadata with the argument.
json::Value partial_metadata(const ResourceType* type, const json::Value& object,
                             std::string_view version, json::Arena& arena);

// Returns true if the record's metadata may contain annotations that the internal version has as
// fields; if not, partial metadata is the object's own.
bool may_have_version_annotations(const ResourceType& type, const store::Record& record);

// Returns a PartialObjectMetadataList, in which every item has its kind and apiVersion.
json::Value partial_metadata_list(const ResourceType* type, json::Range<json::Value> objects,
                                  const json::Value& list_metadata, std::string_view version,
                                  json::Arena& arena);

}  // namespace tabernetes::registry

// PartialObjectMetadata: an object reduced to its metadata. Source: spec/rest.md 5.3.
#pragma once

#include <string_view>

#include "json/value.h"
#include "registry/kind/resource_type.h"
#include "store/record.h"

namespace tabernetes::registry {

// Objects are given in the form that they are stored in, with their type (null: they have none).
// `version` is "v1" or "v1beta1" of meta.k8s.io; both results share the metadata with the argument.
json::Value partial_metadata(const ResourceType* type, const json::Value& object,
                             std::string_view version, json::Arena& arena);

// Whether its metadata may have what internal forms do not; if not, it is the object's own.
bool has_fields_of_version(const ResourceType& type, const store::Record& record);

// PartialObjectMetadataList: every item has its own kind and apiVersion.
json::Value partial_metadata_list(const ResourceType* type, json::Range<json::Value> objects,
                                  const json::Value& list_metadata, std::string_view version,
                                  json::Arena& arena);

}  // namespace tabernetes::registry

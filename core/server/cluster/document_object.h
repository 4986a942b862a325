// Objects in manifests and snapshots, whose kind is named in the object itself.
#pragma once

#include "base/api/result.h"
#include "json/value.h"
#include "registry/kind/resource_type.h"

namespace tabernetes::server {

struct DocumentObject {
  const registry::ResourceType* type = nullptr;
  json::Value value;  // typed
};

// Errors: 400 if `raw` is not an object, not of a kind that can be created, or not strictly of its
// type.
Result<DocumentObject> read_document_object(const registry::ResourceTable& resources,
                                            const json::Value& raw, json::Arena& arena);

}  // namespace tabernetes::server

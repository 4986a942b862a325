// Objects that come in a document and name their own kind: of manifests and snapshots.
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "registry/resource_type.h"

namespace tabernetes::server {

struct DocumentObject {
  const registry::ResourceType* type = nullptr;
  json::Value value;  // typed
};

// Errors: 400 for what is no object, of no kind that can be created, or not strictly of its type.
Result<DocumentObject> read_document_object(const registry::ResourceTable& resources,
                                            const json::Value& raw, json::Arena& arena);

}  // namespace tabernetes::server

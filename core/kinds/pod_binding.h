// Binds pods to nodes. Source: upstream 1.36 pkg/registry/core/pod/storage/storage.go.
#pragma once

#include "base/api/result.h"
#include "json/value.h"
#include "registry/life/registry.h"

namespace tabernetes::registry::kinds {

// Binds the pod `ref` as in the decoded `binding`, whose uid and resourceVersion are preconditions.
// Errors: 400 another name, 404, 409, 500 for a target that is not a node.
Result<void> bind_pod(Registry& registry, const WriteContext& context, const ObjectRef& ref,
                      const json::Value& binding);

}  // namespace tabernetes::registry::kinds

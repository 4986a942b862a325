// Binds pods to nodes. Source: upstream 1.36 pkg/registry/core/pod/storage/storage.go.
#pragma once

#include "base/api/result.h"
#include "json/value.h"
#include "registry/life/registry.h"

namespace tabernetes::registry::kinds {

// Checks a decoded binding. Errors: 400 for a name other than that of the pod `ref`, 500 for a
// target that is not a node.
Result<void> check_binding(const ObjectRef& ref, const json::Value& binding);

// Binds the pod `ref` as in the decoded `binding`, whose uid and resourceVersion are preconditions.
// REQUIRES: check_binding(). Errors: 404, 409.
Result<void> bind_pod(Registry& registry, const WriteContext& context, const ObjectRef& ref,
                      const json::Value& binding);

}  // namespace tabernetes::registry::kinds

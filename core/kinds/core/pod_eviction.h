// Evicts pods: deletes them if their disruption budget permits. Source: upstream 1.36
// pkg/registry/core/pod/storage/eviction.go.
#pragma once

#include "base/api/result.h"
#include "registry/life/registry.h"

namespace tabernetes::registry::kinds {

// Evicts the pod `ref`. Invalid options are reported only at the deletion, after budget and pod
// were updated. Errors: those of `options`, 404, 409 preconditions, 429 if the budget does not
// permit it, 500 for two budgets.
Result<void> evict_pod(Registry& registry, const WriteContext& context, const ObjectRef& ref,
                       const Result<DeleteOptions>& options);

}  // namespace tabernetes::registry::kinds

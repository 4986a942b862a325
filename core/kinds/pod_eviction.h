// Evicting a pod: a delete that asks its disruption budget first.
// Source: upstream 1.36 pkg/registry/core/pod/storage/eviction.go.
#pragma once

#include "base/result.h"
#include "registry/life/registry.h"

namespace tabernetes::registry::kinds {

// Faulty options count when it comes to deleting: the budget and the pod then say already that it
// goes. Errors: those of `options`, 404, 409 preconditions, 429 where the budget forbids it, 500
// for two budgets.
Result<void> evict_pod(Registry& registry, const WriteContext& context, const ObjectRef& ref,
                       const Result<DeleteOptions>& options);

}  // namespace tabernetes::registry::kinds

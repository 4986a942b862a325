// The admission plugin RuntimeClass: what a pod's class adds to it, and what it may not say itself.
// Source: upstream 1.36 plugin/pkg/admission/runtimeclass/admission.go.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Overhead, node selector and tolerations of the class. Errors: 403.
Result<void> take_runtime_class(const HookContext& context, json::Value& pod);

// The overhead must be that of the class, once the pod is found valid. Errors: 403.
Result<void> check_overhead(const HookContext& context, const json::Value& pod);

}  // namespace tabernetes::registry::kinds

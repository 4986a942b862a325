// The admission plugin RuntimeClass: adds fields of the class to the pod and checks the pod's own.
// Source: upstream 1.36 plugin/pkg/admission/runtimeclass/admission.go.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Adds overhead, node selector and tolerations of the class. Errors: 403.
Result<void> apply_runtime_class(const HookContext& context, json::Value& pod);

// Checks that the overhead of a valid pod is the class's. Errors: 403.
Result<void> check_overhead(const HookContext& context, const json::Value& pod);

}  // namespace tabernetes::registry::kinds

// Subresources of pods: ephemeralcontainers, resize, status. Source: upstream 1.36
// pkg/registry/core/pod/strategy.go.
#pragma once

#include "kinds/row/kind.h"

namespace tabernetes::registry::kinds {

void prepare_pod_subresource(const HookContext& context, Subresource subresource,
                             json::Value& object, const json::Value& old);

// Validates an update of ephemeral containers or a resize.
void validate_pod_subresource(Subresource subresource, const Field& pod, const Field& old);

}  // namespace tabernetes::registry::kinds

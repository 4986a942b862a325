// What the subresources of a pod hold: its ephemeral containers, the resources of its containers,
// its status. Source: upstream 1.36 pkg/registry/core/pod/strategy.go.
#pragma once

#include "json/value.h"
#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void prepare_pod_part(const HookContext& context, Part part, json::Value& object,
                      const json::Value& old);

// What an update of ephemeral containers or a resize may not do.
void validate_pod_part(Part part, const validation::Field& pod, const validation::Field& old);

}  // namespace tabernetes::registry::kinds

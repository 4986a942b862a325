// The order of API versions by name: v10, v2, v1, v3beta1, v12alpha1, then all other names. Source:
// apimachinery 1.36 pkg/version/helpers.go.
#pragma once

#include <string_view>

namespace tabernetes::registry {

// Returns true if `a` comes before `b`.
bool version_precedes(std::string_view a, std::string_view b);

// Returns 1 for alpha, 2 for beta, 3 for stable; 0 if the name is not a Kubernetes version.
int version_stability(std::string_view version);

}  // namespace tabernetes::registry

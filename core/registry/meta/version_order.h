// How the versions of an API are ordered by their names: v10, v2, v1, v3beta1, v12alpha1, and then
// what is named otherwise. Source: apimachinery 1.36 pkg/version/helpers.go.
#pragma once

#include <string_view>

namespace tabernetes::registry {

// Whether `a` comes before `b`.
bool is_preferred(std::string_view a, std::string_view b);

// 0: not named as Kubernetes names versions; then alpha, beta, stable.
int stability_of(std::string_view version);

}  // namespace tabernetes::registry

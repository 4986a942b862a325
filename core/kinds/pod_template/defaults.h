// Defaults that pods and pod templates share. Source: spec/defaults-validation.md 1.1 to 1.3;
// spec/lifecycle.md 1.11.
#pragma once

#include <string_view>

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Sets the defaults that pods and templates share. REQUIRES: `template_object` has a `spec`.
void set_pod_template_defaults(json::Value& template_object, json::Arena& arena);

void set_volume_defaults(json::Value& volume, json::Arena& arena);

// Returns "Always" for an image with the tag "latest" or without tag and digest; else
// "IfNotPresent".
std::string_view image_pull_policy(std::string_view image);

}  // namespace tabernetes::registry::kinds

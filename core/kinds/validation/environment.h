// What the environment of a container, or a volume, takes from the pod.
// Source: upstream 1.36 pkg/apis/core/validation/validation.go, ValidateEnv and below.
#pragma once

#include <string_view>

#include "rules/field.h"

namespace tabernetes::registry::validation {

// An ObjectFieldSelector; `supported` lists the fields it may name.
void validate_field_reference(const Field& ref, std::string_view supported);
// A ResourceFieldSelector; in a volume it must name a container.
void validate_resource_reference(const Field& ref, bool in_volume);

// Whether `..` stands between slashes.
bool has_backsteps(std::string_view path);

}  // namespace tabernetes::registry::validation

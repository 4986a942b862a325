// Fields and resources of the pod for environment variables and volumes. Source: upstream 1.36
// pkg/apis/core/validation/validation.go, ValidateEnv and below.
#pragma once

#include <string_view>

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

// Checks an ObjectFieldSelector; `supported` lists the allowed fields.
void validate_field_reference(const Field& ref, std::string_view supported);
// Checks a ResourceFieldSelector; in a volume it must name a container.
void validate_resource_reference(const Field& ref, bool in_volume);

// Returns true if the path contains `..` as an element.
bool has_parent_element(std::string_view path);

}  // namespace tabernetes::registry::kinds

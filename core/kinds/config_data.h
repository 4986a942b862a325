// ConfigMaps and Secrets: the keys and the size of their data, and `immutable`. Source:
// spec/lifecycle.md 2.7; upstream 1.36 pkg/apis/core/validation.
#pragma once

#include "rules/field.h"

namespace tabernetes::registry::kinds {

void validate_config_map(const validation::Field& object);
void validate_config_map_update(const validation::Field& object, const validation::Field& old);

void validate_secret(const validation::Field& object);
void validate_secret_update(const validation::Field& object, const validation::Field& old);

}  // namespace tabernetes::registry::kinds

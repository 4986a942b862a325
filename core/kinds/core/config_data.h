// ConfigMaps and Secrets: the keys and the size of their data, and `immutable`. Source:
// spec/lifecycle.md 2.7; upstream 1.36 pkg/apis/core/validation.
#pragma once

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

void validate_config_map(const Field& object);
void validate_config_map_update(const Field& object, const validation::Field& old);

void validate_secret(const Field& object);
void validate_secret_update(const Field& object, const validation::Field& old);

}  // namespace tabernetes::registry::kinds

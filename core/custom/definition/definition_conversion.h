// Checks of spec.conversion. Source: upstream 1.36 apiextensions-apiserver
// pkg/apis/apiextensions/validation/validation.go.
#pragma once

#include "custom/objects/ca_bundle.h"
#include "rules/field.h"

namespace tabernetes::registry::custom {

// Checks the conversion of `spec`, the definition's. `old` is the stored spec, without a value on
// create; `established` tells whether the stored definition is.
void check_conversion(const validation::Field& spec, const validation::Field& old,
                      bool established);

}  // namespace tabernetes::registry::custom

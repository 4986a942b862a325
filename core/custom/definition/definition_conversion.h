// What is wrong with how a definition converts between its versions.
// Source: upstream 1.36 apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go.
#pragma once

#include "custom/objects/ca_bundle.h"
#include "rules/field.h"

namespace tabernetes::registry::custom {

// `spec`: of the definition. `old`: as it is stored, without a value if it is not; `established`:
// whether that is served.
void check_conversion(const validation::Field& spec, const validation::Field& old,
                      bool established);

}  // namespace tabernetes::registry::custom

// What is wrong with how a definition converts between its versions.
// Source: upstream 1.36 apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go.
#pragma once

#include "registry/validation/field.h"

namespace tabernetes::registry::crd {

// `spec`: of the definition.
void check_conversion(const validation::Field& spec);

}  // namespace tabernetes::registry::crd

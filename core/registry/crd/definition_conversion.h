// What is wrong with how a definition converts between its versions.
// Source: upstream 1.36 apiextensions-apiserver pkg/apis/apiextensions/validation/validation.go.
#pragma once

#include <string>
#include <string_view>

#include "registry/validation/field.h"

namespace tabernetes::registry::crd {

// What is wrong with a webhook's caBundle (in base64, as it is stored); empty: nothing, or there is
// none.
std::string ca_bundle_fault(std::string_view text);

// `spec`: of the definition. `old`: as it is stored, without a value if it is not; `established`:
// whether that is served.
void check_conversion(const validation::Field& spec, const validation::Field& old,
                      bool established);

}  // namespace tabernetes::registry::crd

// Validation of custom objects. Order of the checks: spec/crd-auth-admission.md 2.6, 2.9, 3.1.
#pragma once

#include <string>
#include <vector>

#include "base/api/field_error.h"
#include "custom/objects/custom_kind.h"
#include "json/value.h"
#include "registry/meta/subresource.h"

namespace tabernetes::registry::custom {

// Checks kind and apiVersion; returns false and adds an error if they are wrong.
bool check_kind(const CustomVersion& version, const json::Value& object, field::ErrorList& errors);

// Validates an object apart from metadata, which is checked before as for every kind. `old` is null
// on create. Adds to `warnings` (null: not wanted) the errors that are tolerated because the old
// object has them too.
void validate(const CustomVersion& version, Subresource subresource, const json::Value& object,
              const json::Value* old, field::ErrorList& errors, std::vector<std::string>* warnings);

}  // namespace tabernetes::registry::custom

// What is wrong with a custom object. Order of checks: spec/crd-auth-admission.md 2.6, 2.9, 3.1.
#pragma once

#include <string>
#include <vector>

#include "base/field_error.h"
#include "custom/objects/custom_kind.h"
#include "json/value.h"
#include "registry/meta/part.h"

namespace tabernetes::registry::custom {

// That it says it is of its kind; with an error nothing else is said.
bool check_kind(const CustomVersion& version, const json::Value& object, field::ErrorList& errors);

// Beside metadata, which is checked before as for every kind. `old`: null on create. `warnings`:
// texts of what would be an error if it had not been so before; null: nobody reads them.
void validate(const CustomVersion& version, Part part, const json::Value& object,
              const json::Value* old, field::ErrorList& errors, std::vector<std::string>* warnings);

}  // namespace tabernetes::registry::custom

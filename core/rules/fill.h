// Applies defaults in the language of the rules (rules/rules.h): another interpreter of the steps,
// which changes the object and reports no errors.
#pragma once

#include <string_view>

#include "json/value.h"
#include "rules/rules.h"

namespace tabernetes::registry::validation {

// Applies `rules` to `object`. Uses only the words `fill`, `default`, `number`, `made`, `given` and
// `opt`, and only the conditions on values at the place. REQUIRES: as for check().
void fill_in(const Vocabulary& words, std::string_view rules, json::Value& object,
             json::Arena& arena);

}  // namespace tabernetes::registry::validation

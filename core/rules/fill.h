// Filling in what a client left out, in the same language as rules (rules/rules.h): another reading
// of the steps, which changes an object and finds nothing wrong.
#pragma once

#include <string_view>

#include "json/value.h"
#include "rules/rules.h"

namespace tabernetes::registry::validation {

// Does what `rules` say to `object`. Of their words `fill`, `default`, `number`, `made`, `given`
// and `opt` count, of conditions those that ask for values at the place. REQUIRES: as check().
void fill_in(const Vocabulary& words, std::string_view rules, json::Value& object,
             json::Arena& arena);

}  // namespace tabernetes::registry::validation

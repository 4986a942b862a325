// Defaults as rules (rules/rules.h).
#pragma once

#include <string_view>

#include "json/value.h"
#include "rules/rules.h"

namespace tabernetes::registry::kinds {

// Applies the defaults of a kind (Kind::defaults), which may be empty.
void fill_defaults(std::string_view rules, json::Value& object, json::Arena& arena);
// Applies shared defaults.
void fill_named(std::string_view rules, json::Value& place, json::Arena& arena);

}  // namespace tabernetes::registry::kinds

namespace tabernetes::registry::validation {

// Defaults that several kinds share. The lists end with an empty row.
extern const NamedFill kFills[2];
extern const NamedRules kSharedDefaults[];

}  // namespace tabernetes::registry::validation

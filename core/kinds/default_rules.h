// What a client left out and the server fills in, as rules (validation/rules.h).
#pragma once

#include <string_view>

#include "json/value.h"
#include "rules/rules.h"

namespace tabernetes::registry::kinds {

// By the rules of a kind (Kind::defaults), which may be none.
void fill_defaults(std::string_view rules, json::Value& object, json::Arena& arena);
// By rules that several share.
void fill_named(std::string_view rules, json::Value& place, json::Arena& arena);

}  // namespace tabernetes::registry::kinds

namespace tabernetes::registry::validation {

// What several kinds share. The lists end with an empty row.
extern const NamedFill kFills[2];
extern const NamedRules kSharedDefaults[];

}  // namespace tabernetes::registry::validation

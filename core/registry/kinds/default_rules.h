// What a client left out and the server fills in, as rules (validation/rules.h).
#pragma once

#include <string_view>

#include "base/group_version.h"
#include "json/value.h"

namespace tabernetes::registry::kinds {

// By the rules of a kind; nothing if it has none.
void fill_defaults(const GroupResource& group_kind, json::Value& object, json::Arena& arena);
// By rules that several share.
void fill_named(std::string_view rules, json::Value& place, json::Arena& arena);

}  // namespace tabernetes::registry::kinds

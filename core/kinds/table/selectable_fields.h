// The values that field selectors compare. Source: spec/list-watch.md 6.4.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::registry::kinds {

// Returns the value of a selectable field (aliases resolved); a missing field is "" (a flag
// "false", a count "0").
std::string selectable_field(const schema::Resource& resource, std::string_view field,
                             const json::Value& object);

}  // namespace tabernetes::registry::kinds

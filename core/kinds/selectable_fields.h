// The text that a field selector compares with. Source: spec/list-watch.md 6.4.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::registry::kinds {

// The value of a selectable field (aliases resolved) of an object; absent fields are "" (of flags
// "false", of counts "0").
std::string selectable_field(const schema::Resource& resource, std::string_view field,
                             const json::Value& object);

}  // namespace tabernetes::registry::kinds

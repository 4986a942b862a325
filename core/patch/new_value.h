// Cleans the value that a strategic merge patch sets for a missing field. Source:
// spec/patch-apply.md 5.3.
#pragma once

#include <optional>

#include "json/value.h"

namespace tabernetes::patch {

// Returns `value` without null members and without objects that hold a $patch, which have nothing
// to be merged with. Returns nullopt if `value` itself is such an object.
std::optional<json::Value> clean_new_value(const json::Value& value, json::Arena& arena);

}  // namespace tabernetes::patch

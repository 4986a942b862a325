// What a strategic merge patch says of a field that is not there yet. Source:
// spec/patch-apply.md 5.3.
#pragma once

#include <optional>

#include "json/value.h"

namespace tabernetes::patch {

// `value` without null members, and without the objects that hold a $patch, which have nothing to
// be merged with. Nothing: it is one itself.
std::optional<json::Value> clean_new_value(const json::Value& value, json::Arena& arena);

}  // namespace tabernetes::patch

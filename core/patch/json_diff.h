// The JSON Patch (RFC 6902) that leads from one value to another.
#pragma once

#include "json/value.h"

namespace tabernetes::patch {

// Returns an array of `add`, `remove` and `replace`, which is empty if the values are equal. Items
// of lists are compared by their place. It shares content with `after`.
json::Value json_diff(const json::Value& before, const json::Value& after, json::Arena& arena);

}  // namespace tabernetes::patch

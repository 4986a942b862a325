// Prints and compares values of custom resources for errors.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::registry::custom {

// Prints a string in quotes, a float as %v does (1e+06), anything else as compact JSON with sorted
// members.
std::string format_value(const json::Value& value);

// Compares like Go's reflect.DeepEqual, except that 1 and 1.0 are equal.
bool equal_values(const json::Value& a, const json::Value& b);

}  // namespace tabernetes::registry::custom

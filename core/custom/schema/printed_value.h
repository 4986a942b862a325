// Values of custom resources as error texts show them, and compared.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::registry::custom {

// A text in quotes, a float as %v prints it (1e+06), anything else as compact JSON with the members
// sorted.
std::string printed_value(const json::Value& value);

// Deep equality as Go's reflect sees it, but for 1 and 1.0, which are the same.
bool values_equal(const json::Value& a, const json::Value& b);

}  // namespace tabernetes::registry::custom

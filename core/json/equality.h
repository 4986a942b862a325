// Deep equality of working trees: the order of members does not count, numbers by value.
#pragma once

#include "json/value.h"

namespace tabernetes::json {

bool deep_equal(const Value& a, const Value& b);

}  // namespace tabernetes::json

// Deep equality of working trees: ignores the order of members, compares numbers by value.
#pragma once

#include "json/value.h"

namespace tabernetes::json {

bool deep_equal(const Value& a, const Value& b);

}  // namespace tabernetes::json

// Prints a tree like Go's fmt with %v: map[a:1 b:[x y] c:<nil>].
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::json {

std::string go_format(const Value& value);

}  // namespace tabernetes::json

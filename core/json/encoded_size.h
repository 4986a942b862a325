// The length of a tree as JSON text.
#pragma once

#include <cstddef>

#include "json/value.h"

namespace tabernetes::json {

// Returns the number of bytes codec::write_json() writes for `value`.
std::size_t encoded_size(const Value& value);

}  // namespace tabernetes::json

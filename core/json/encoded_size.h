// How long a tree is as JSON text.
#pragma once

#include <cstddef>

#include "json/value.h"

namespace tabernetes::json {

// The bytes that codec::write_json would write for `value`.
std::size_t encoded_size(const Value& value);

}  // namespace tabernetes::json

// Shorthands for building trees.
#pragma once

#include <string_view>

#include "json/value.h"

namespace tabernetes::json {

// Returns an array of strings, which stay views of `texts`.
template <typename Texts>
Value string_array(const Texts& texts, Arena& arena) {
  Value array = Value::array(arena);
  for (const std::string_view text : texts) array.push_back(arena, Value::string(text));
  return array;
}

}  // namespace tabernetes::json

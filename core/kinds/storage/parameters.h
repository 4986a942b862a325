// Parameters of classes of volumes.
#pragma once

#include <cstddef>

#include "kinds/row/rules.h"

namespace tabernetes::registry::kinds {

inline constexpr std::size_t kMaxParameterBytes = 256 * 1024;

// Returns the size of the names and values of a map.
std::size_t bytes_of(const Field& map);

}  // namespace tabernetes::registry::kinds

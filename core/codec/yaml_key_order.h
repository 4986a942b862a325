// Internal to codec: the order in which go-yaml v2 writes the keys of a map.
#pragma once

#include <string_view>

namespace tabernetes::codec {

// Natural order: runs of digits by value, letters after everything else. No strict weak ordering
// in all cases; sort with an algorithm that bears that.
bool yaml_key_before(std::string_view a, std::string_view b);

}  // namespace tabernetes::codec

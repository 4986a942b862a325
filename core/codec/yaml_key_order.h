// Internal to codec: go-yaml v2's order of map keys.
#pragma once

#include <string_view>

namespace tabernetes::codec {

// Natural order: runs of digits by value, letters after everything else. Not always a strict weak
// ordering; needs a sorting algorithm that tolerates that.
bool yaml_key_before(std::string_view a, std::string_view b);

}  // namespace tabernetes::codec

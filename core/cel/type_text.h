// Types written as texts: s string, b bool, i int, t timestamp, * dyn, L list of, M map with string
// keys of, {field:type,...} with sorted fields.
#pragma once

#include <string_view>

#include "cel/type.h"

namespace tabernetes::cel {

// REQUIRES: `text` is such a text, and outlives the type.
const Type* read_type(std::string_view text, json::Arena& arena);

}  // namespace tabernetes::cel

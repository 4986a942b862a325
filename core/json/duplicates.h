// Trees straight from the reader may hold a key twice.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace tabernetes::json {

// Keeps of each key the last value, at the place of the first, and says which were double:
// `duplicate field "data.a"`, in document order, each once.
std::vector<std::string> remove_duplicates(Value& tree, Arena& arena);

}  // namespace tabernetes::json

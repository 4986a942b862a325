// Trees straight from the reader may hold a key twice.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace tabernetes::json {

// Where keys stand again, as Go names the places: "data.a", "[0].value.b", in document order, each
// once and at most `most`. `path` leads to the tree.
std::vector<std::string> duplicate_paths(const Value& tree, std::string path, std::size_t most);

// Keeps of each key the last value, at the place of the first.
void remove_duplicates(Value& tree, Arena& arena);

}  // namespace tabernetes::json

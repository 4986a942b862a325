// Detection and removal of duplicate keys, which a tree straight from the reader may have.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace tabernetes::json {

// Returns the paths of repeated keys as Go names them ("data.a", "[0].value.b"), in document order,
// without duplicates, at most `most`. `path` is the path of the tree itself.
std::vector<std::string> duplicate_paths(const Value& tree, std::string path, std::size_t most);

// Keeps the last value of each key, at the position of the first.
void remove_duplicates(Value& tree, Arena& arena);

}  // namespace tabernetes::json

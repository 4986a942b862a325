// Where in a YAML text a field stands.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::codec {

// Returns the line, counted from 0, of the deepest field of `path` that the first document of
// `text` has: names of members, and indices of items. An empty path is the document itself.
std::size_t yaml_line_of(std::string_view text, const std::vector<std::string>& path);

}  // namespace tabernetes::codec

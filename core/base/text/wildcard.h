// Texts with `*` in rules that users write.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

// A text in which `*` stands for any text; empty matches everything.
using Wildcard = std::string;

bool matches_wildcard(std::string_view pattern, std::string_view text);

}  // namespace tabernetes

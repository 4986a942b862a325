// Unified diffs of texts, with three lines of context.
//
// Same result as Python's difflib, which the real server's messages contain: the longest run of
// equal lines first, then the longest before and after it. In long texts, a line that occurs in
// more than one percent of the positions does not start a run. Source:
// github.com/pmezard/go-difflib; recordings of the real server.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::registry::kinds {

// Returns the diff; empty if the texts are equal or too long.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace tabernetes::registry::kinds

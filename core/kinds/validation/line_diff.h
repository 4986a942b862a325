// How two texts differ, line by line: a unified diff with three lines around each change.
//
// Of all ways to tell it, the one of Python's difflib, which the real server's messages show: the
// longest run of equal lines first, then the longest before it and behind it. Lines that are in
// more than one of a hundred places of a long text do not begin a run.
// Source: github.com/pmezard/go-difflib; recordings of the real server.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::registry::validation {

// Empty if the texts are equal, or too long to compare.
std::string line_diff(std::string_view before, std::string_view after);

}  // namespace tabernetes::registry::validation

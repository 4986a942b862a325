// Character classes of patterns: sets of ranges, and the named classes. Source: Go 1.25
// regexp/syntax/perl_groups.go, parse.go; Unicode as described beside its table.
#pragma once

#include <string_view>
#include <vector>

#include "base/regex/pattern.h"

namespace tabernetes {

inline constexpr char32_t kLastRune = 0x10ffff;

using Runes = std::vector<RuneRange>;

// Adds the class "d", "s", "w" or "[:alpha:]" and the like; returns false if it does not exist.
bool add_named(std::string_view name, Runes& runes);

// Adds a Unicode category or script, as in \p{Lu}; returns false if it is unknown.
bool add_category(std::string_view name, Runes& runes);

// Sorts the ranges and merges those that touch or overlap.
void normalise(Runes& runes);

// Replaces the set with its complement.
void invert(Runes& runes);

// Adds the other case of Latin, Greek and Cyrillic letters.
void fold_case(Runes& runes);

}  // namespace tabernetes

// The characters of a pattern's classes: ranges, and the classes that have names.
// Source: Go 1.25 regexp/syntax/perl_groups.go, parse.go; Unicode as described beside its table.
#pragma once

#include <string_view>
#include <vector>

#include "base/pattern.h"

namespace tabernetes {

inline constexpr char32_t kLastRune = 0x10ffff;

using Runes = std::vector<RuneRange>;

// Adds those of "d", "s", "w" or "[:alpha:]" and its like; false if there is no such class.
bool add_named(std::string_view name, Runes& runes);

// Adds those of a category or script of Unicode, as in \p{Lu}; false if it is not known.
bool add_category(std::string_view name, Runes& runes);

// Puts them in order, without gaps and overlaps.
void normalise(Runes& runes);

// All others.
void invert(Runes& runes);

// Adds what differs only in case: of the Latin, Greek and Cyrillic letters.
void fold_case(Runes& runes);

}  // namespace tabernetes

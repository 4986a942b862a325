#pragma once

#include <optional>
#include <string_view>

namespace tabernetes {

// Parses [-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)? and rounds to the nearest double, ties
// to even, like strconv.ParseFloat(text, 64) without Go's other notations. Returns infinity out of
// range and nullopt for other texts.
std::optional<double> parse_float(std::string_view text);

}  // namespace tabernetes

#pragma once

#include <optional>
#include <string_view>

namespace tabernetes {

// The double next to a decimal number, [-+]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][-+]?[0-9]+)?, or the
// even one of two: strconv.ParseFloat(text, 64) but for Go's other notations. Beyond the range it
// is infinite. Nothing of other texts.
std::optional<double> parse_float(std::string_view text);

}  // namespace tabernetes

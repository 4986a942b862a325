// Shortest decimal digits that read back as the same double, and Go's formats for them.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

// The value 0.digits * 10^point. `digits` has no zeros at either end and is empty for zero.
struct FloatDigits {
  bool negative = false;
  std::string digits;
  int point = 0;
};

// REQUIRES: `value` is finite.
FloatDigits shortest_digits(double value);

// Formats like strconv.FormatFloat(value, 'f', -1, 64), in plain digits, and with 'e', an exponent
// of at least two digits: 1.5e-07.
std::string format_plain(const FloatDigits& digits);
std::string format_exponent(const FloatDigits& digits);

// Formats like strconv.FormatFloat(value, 'g', -1, 64), which Go's %g and YAML use: 1e+06, 1e-05,
// 0.0001.
std::string go_g_float(double value);

// Formats like `%v` of a float64, which is also how encoding/json writes it: 1e+21, 1e-7, 1.5, 100.
std::string go_json_float(double value);

// Formats like strconv.FormatFloat(value, 'f', decimals, 64), e.g. %.6f. REQUIRES: 0 <= value <
// 2^63, decimals < 18.
std::string format_fixed(double value, int decimals);

}  // namespace tabernetes

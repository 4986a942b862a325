// The shortest decimal digits that read back as the same double, for every format that Go prints.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes {

// 0.digits * 10^point; `digits` without zeros at either end, empty for zero.
struct FloatDigits {
  bool negative = false;
  std::string digits;
  int point = 0;
};

// REQUIRES: `value` is finite.
FloatDigits shortest_digits(double value);

// strconv.FormatFloat(value, 'f', -1, 64): plain digits, however many. 'e': 1.5e-07, an exponent of
// two digits at least.
std::string format_plain(const FloatDigits& digits);
std::string format_exponent(const FloatDigits& digits);

// strconv.FormatFloat(value, 'g', -1, 64), which %g of Go and YAML use: 1e+06, 1e-05, 0.0001.
std::string go_g_float(double value);

// strconv.FormatFloat(value, 'f', decimals, 64), %.6f for one. REQUIRES: 0 <= value < 2^63,
// decimals < 18.
std::string format_fixed(double value, int decimals);

}  // namespace tabernetes

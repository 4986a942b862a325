// Exact conversion with big numbers, which avoids the tables of faster algorithms in the
// WebAssembly module; most numbers take a fast path. Tested by
// tests/core/base/float_digits_test.cc.
#include "base/numbers/parse_float.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "base/numbers/big_natural.h"
#include "base/text/ascii.h"

namespace tabernetes {
namespace {

// No double, and no midpoint between two doubles, has more digits.
constexpr int kMostDigits = 770;
constexpr int kDoubleBits = std::numeric_limits<double>::digits;
constexpr int kLeastPower = std::numeric_limits<double>::min_exponent - 1;

// The value 0.digits * 10^point, without leading zeros.
struct Decimal {
  std::string_view text;  // from the first digit on; may contain a point and a suffix
  int digits = 0;         // number of digits, at most kMostDigits
  bool more = false;      // digits beyond kMostDigits were dropped
  int point = 0;
};

// Removes the sign from the front of `text`; returns whether it is '-'.
bool take_sign(std::string_view& text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

std::optional<int> read_exponent(std::string_view text) {
  if (text.empty()) return 0;
  if ((text[0] | 0x20) != 'e') return std::nullopt;
  text.remove_prefix(1);
  const bool negative = take_sign(text);
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_digit)) return std::nullopt;
  int value = 0;
  for (const char digit : text) value = std::min(value * 10 + (digit - '0'), 100'000'000);
  return negative ? -value : value;
}

std::optional<Decimal> read_decimal(std::string_view text) {
  Decimal result;
  bool after_point = false;
  std::size_t i = 0;
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !after_point)); ++i) {
    if (text[i] == '.') {
      after_point = true;
      continue;
    }
    if (result.digits == 0) {
      if (text[i] == '0') {
        if (after_point) --result.point;
        continue;
      }
      result.text = text.substr(i);
    }
    if (!after_point) ++result.point;
    if (result.digits < kMostDigits) {
      ++result.digits;
    } else {
      result.more = result.more || text[i] != '0';
    }
  }
  const std::optional<int> exponent = read_exponent(text.substr(i));
  if (!exponent || i == (after_point ? 1u : 0u)) return std::nullopt;
  result.point += *exponent;
  return result;
}

// Calls `use` with each digit.
template <class Use>
void for_digits(const Decimal& decimal, Use use) {
  std::size_t at = 0;
  for (int i = 0; i < decimal.digits; ++at) {
    if (decimal.text[at] == '.') continue;
    use(static_cast<std::uint32_t>(decimal.text[at] - '0'));
    ++i;
  }
}

// Fast path: up to 15 digits and a small power of ten are exact doubles, so one operation rounds
// once.
bool parse_exactly(const Decimal& decimal, double& result) {
  const int exponent = decimal.point - decimal.digits;
  if (decimal.digits > 15 || std::abs(exponent) > 22) return false;
  std::int64_t whole = 0;
  for_digits(decimal, [&whole](std::uint32_t digit) { whole = whole * 10 + digit; });
  double power = 1;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10;
  result = exponent < 0 ? static_cast<double>(whole) / power : static_cast<double>(whole) * power;
  return true;
}

// Returns the quotient, computed bit by bit and rounded to even.
double divide(BigNatural& numerator, BigNatural& denominator) {
  int exponent = numerator.bit_length() - denominator.bit_length();
  (exponent > 0 ? denominator : numerator).shift_left(std::abs(exponent));
  if (numerator.compare(denominator) < 0) {
    numerator.shift_left(1);
    --exponent;
  }
  // The quotient is now between 1 and 2 times 2^exponent.
  const int bits = kDoubleBits - std::max(0, kLeastPower - exponent);
  if (bits < 0) return 0;
  std::uint64_t mantissa = 0;
  for (int i = 0; i < bits; ++i) {
    const bool bit = numerator.compare(denominator) >= 0;
    if (bit) numerator.subtract(denominator);
    numerator.shift_left(1);
    mantissa = mantissa * 2 + (bit ? 1 : 0);
  }
  const int rest = numerator.compare(denominator);
  if (rest > 0 || (rest == 0 && (mantissa & 1) != 0)) ++mantissa;
  return std::ldexp(static_cast<double>(mantissa), exponent - bits + 1);
}

double parse_magnitude(const Decimal& decimal) {
  if (decimal.digits == 0 || decimal.point < -400) return 0;
  if (decimal.point > 400) return std::numeric_limits<double>::infinity();
  double result = 0;
  if (parse_exactly(decimal, result)) return result;
  BigNatural numerator;
  BigNatural denominator(1);
  for_digits(decimal, [&numerator](std::uint32_t digit) { numerator.multiply(10, digit); });
  int exponent = decimal.point - decimal.digits;
  if (decimal.more) {
    // The dropped digits only decide on which side of a midpoint the number lies; one digit stands
    // in.
    numerator.multiply(10, 1);
    --exponent;
  }
  (exponent < 0 ? denominator : numerator).multiply_by_power_of_ten(std::abs(exponent));
  return divide(numerator, denominator);
}

}  // namespace

std::optional<double> parse_float(std::string_view text) {
  const bool negative = take_sign(text);
  const std::optional<Decimal> decimal = read_decimal(text);
  if (!decimal) return std::nullopt;
  const double magnitude = parse_magnitude(*decimal);
  return negative ? -magnitude : magnitude;
}

}  // namespace tabernetes

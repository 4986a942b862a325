// Exact digit generation with big numbers (Steele and White, in the form of Burger and Dybvig);
// needs no tables. Tested by tests/core/base/float_digits_test.cc.
#include "base/numbers/float_digits.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "base/numbers/big_natural.h"

namespace tabernetes {
namespace {

constexpr int kMantissaBits = std::numeric_limits<double>::digits;
constexpr int kLeastExponent = std::numeric_limits<double>::min_exponent - kMantissaBits;

// A double as value / scale, with the distances to the midpoints between it and its neighbours in
// the same scale.
struct Interval {
  BigNatural value, scale, below, above;
  bool closed;  // the midpoints read back as this double, too

  void multiply_by_power_of_ten(int exponent) {
    value.multiply_by_power_of_ten(exponent);
    below.multiply_by_power_of_ten(exponent);
    above.multiply_by_power_of_ten(exponent);
  }
  bool reaches_down() const { return value.compare(below) < (closed ? 1 : 0); }
  bool reaches_up() const {
    BigNatural high = value;
    high.add(above);
    return high.compare(scale) > (closed ? -1 : 0);
  }
};

Interval interval_of(std::uint64_t mantissa, int exponent) {
  // Below a power of two the spacing is half.
  const bool power =
      mantissa == std::uint64_t{1} << (kMantissaBits - 1) && exponent > kLeastExponent;
  Interval result{.value = BigNatural(mantissa),
                  .scale = BigNatural(1),
                  .below = BigNatural(1),
                  .above = BigNatural(1),
                  .closed = mantissa % 2 == 0};
  result.value.shift_left((power ? 2 : 1) + std::max(exponent, 0));
  result.scale.shift_left((power ? 2 : 1) + std::max(-exponent, 0));
  result.below.shift_left(std::max(exponent, 0));
  result.above.shift_left((power ? 1 : 0) + std::max(exponent, 0));
  return result;
}

// Scales the value to 0.digits and returns the position of its decimal point.
int normalise(Interval& interval) {
  const int bits = interval.value.bit_length() - interval.scale.bit_length();
  int point = static_cast<int>(std::ceil((bits - 1) * 0.30102999566398120));  // or one too small
  if (point > 0) {
    interval.scale.multiply_by_power_of_ten(point);
  } else {
    interval.multiply_by_power_of_ten(-point);
  }
  while (interval.reaches_up()) {
    interval.scale.multiply(10);
    ++point;
  }
  return point;
}

int next_digit(Interval& interval) {
  interval.multiply_by_power_of_ten(1);
  int digit = 0;
  for (; interval.value.compare(interval.scale) >= 0; ++digit) {
    interval.value.subtract(interval.scale);
  }
  return digit;
}

// Returns true if the remainder after the last digit rounds up; ties go to the even digit.
bool rounds_up(const Interval& interval, int digit) {
  BigNatural twice = interval.value;
  twice.shift_left(1);
  const int rest = twice.compare(interval.scale);
  return rest > 0 || (rest == 0 && digit % 2 != 0);
}

}  // namespace

FloatDigits shortest_digits(double value) {
  assert(std::isfinite(value));
  FloatDigits result;
  result.negative = std::signbit(value);
  if (value == 0) return result;

  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);
  exponent -= kMantissaBits;
  const int lost = std::max(0, kLeastExponent - exponent);  // for a subnormal number
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(fraction, kMantissaBits - lost));
  Interval interval = interval_of(mantissa, exponent + lost);
  result.point = normalise(interval);
  for (;;) {
    const int digit = next_digit(interval);
    const bool down = interval.reaches_down();
    const bool up = interval.reaches_up();
    const bool last = down || up;
    const bool more = up && (!down || rounds_up(interval, digit));
    result.digits += static_cast<char>('0' + digit + (more ? 1 : 0));
    if (last) return result;
  }
}

std::string format_plain(const FloatDigits& digits) {
  std::string out = digits.negative ? "-" : "";
  const int count = static_cast<int>(digits.digits.size());
  if (digits.point <= 0) {
    out += '0';
    if (count > 0) out += "." + std::string(static_cast<std::size_t>(-digits.point), '0');
    return out + digits.digits;
  }
  if (digits.point >= count) {
    return out + digits.digits + std::string(static_cast<std::size_t>(digits.point - count), '0');
  }
  const auto point = static_cast<std::size_t>(digits.point);
  return out + digits.digits.substr(0, point) + "." + digits.digits.substr(point);
}

std::string format_exponent(const FloatDigits& digits) {
  std::string out = digits.negative ? "-" : "";
  if (digits.digits.empty()) return out + "0e+00";
  out += digits.digits[0];
  if (digits.digits.size() > 1) out += "." + digits.digits.substr(1);
  const int exponent = digits.point - 1;
  out += exponent < 0 ? "e-" : "e+";
  const std::string shown = std::to_string(std::abs(exponent));
  return out + (shown.size() == 1 ? "0" : "") + shown;
}

std::string go_g_float(double value) {
  const FloatDigits digits = shortest_digits(value);
  const int exponent = digits.digits.empty() ? 0 : digits.point - 1;
  return exponent < -4 || exponent >= 6 ? format_exponent(digits) : format_plain(digits);
}

std::string format_fixed(double value, int decimals) {
  constexpr int kBits = 60;  // fraction bits; times ten still fits in 64
  constexpr std::uint64_t kOne = std::uint64_t{1} << kBits;
  auto whole = static_cast<std::uint64_t>(value);
  auto rest = static_cast<std::uint64_t>(std::ldexp(value - static_cast<double>(whole), kBits));
  std::uint64_t digits = 0;
  std::uint64_t scale = 1;
  for (int i = 0; i < decimals; ++i) {
    rest *= 10;
    digits = digits * 10 + rest / kOne;
    rest %= kOne;
    scale *= 10;
  }
  const bool odd = (decimals == 0 ? whole : digits) % 2 != 0;
  if (rest > kOne / 2 || (rest == kOne / 2 && odd)) ++digits;
  whole += digits / scale;
  std::string out = std::to_string(whole);
  if (decimals > 0) out += "." + std::to_string(scale + digits % scale).substr(1);
  return out;
}

std::string go_json_float(double value) {
  const FloatDigits digits = shortest_digits(value);
  const double magnitude = std::fabs(value);
  if (magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e21)) return format_plain(digits);
  std::string out = format_exponent(digits);
  // encoding/json shortens e-09 to e-9.
  const std::size_t tens = out.size() - 2;
  if (out[tens] == '0' && out[tens - 2] == 'e') out.erase(tens, 1);
  return out;
}

}  // namespace tabernetes

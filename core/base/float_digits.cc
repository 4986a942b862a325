// yyjson has the algorithm (Schubfach); its text is taken apart here and put together as Go does.
// Tested by tests/core/base/float_digits_test.cc.
#include "base/float_digits.h"

#include <yyjson.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>

#include "base/go_text.h"

namespace tabernetes {
namespace {

// "-1.25e-7" or "100.0": the shortest digits, in yyjson's own choice of format.
std::string shortest_text(double value) {
  yyjson_val number;
  number.tag = YYJSON_TYPE_NUM | YYJSON_SUBTYPE_REAL;
  number.uni.f64 = value;
  char buffer[256];
  yyjson_alc allocator;
  yyjson_alc_pool_init(&allocator, buffer, sizeof buffer);
  std::size_t length = 0;
  const char* text = yyjson_val_write_opts(&number, 0, &allocator, &length, nullptr);
  assert(text != nullptr);
  return {text, length};
}

int parse_exponent(std::string_view text) {
  const bool negative = text[0] == '-';
  if (text[0] == '-' || text[0] == '+') text.remove_prefix(1);
  int value = 0;
  for (const char c : text) value = value * 10 + (c - '0');
  return negative ? -value : value;
}

}  // namespace

FloatDigits shortest_digits(double value) {
  assert(std::isfinite(value));
  FloatDigits result;
  result.negative = std::signbit(value);
  if (value == 0) return result;

  const std::string text = shortest_text(std::fabs(value));
  const std::size_t mantissa_end = std::min(text.find('e'), text.size());
  if (mantissa_end < text.size()) {
    result.point = parse_exponent(std::string_view(text).substr(mantissa_end + 1));
  }
  bool after_point = false;
  for (const char c : std::string_view(text).substr(0, mantissa_end)) {
    if (c == '.') {
      after_point = true;
    } else if (c == '0' && result.digits.empty()) {
      if (after_point) --result.point;
    } else {
      result.digits += c;
      if (!after_point) ++result.point;
    }
  }
  while (result.digits.back() == '0') result.digits.pop_back();
  return result;
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

std::string go_json_float(double value) {
  const FloatDigits digits = shortest_digits(value);
  const double magnitude = std::fabs(value);
  if (magnitude == 0 || (magnitude >= 1e-6 && magnitude < 1e21)) return format_plain(digits);
  std::string out = format_exponent(digits);
  // encoding/json cleans up e-09 to e-9.
  const std::size_t tens = out.size() - 2;
  if (out[tens] == '0' && out[tens - 2] == 'e') out.erase(tens, 1);
  return out;
}

}  // namespace tabernetes

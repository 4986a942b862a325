#include "base/numbers/float_digits.h"

#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>

#include "base/go/text.h"
#include "base/numbers/parse_float.h"

namespace tabernetes {
namespace {

// Expectations are what Go 1.26 prints.
TEST_CASE("float digits: doubles print as in Go", "[base]") {
  struct Case {
    double value;
    std::string_view json, g;
  };
  static constexpr Case kCases[] = {
      {0.0, "0", "0"},
      {-0.0, "-0", "-0"},
      {1e-6, "0.000001", "1e-06"},
      {1e-7, "1e-7", "1e-07"},
      {1.25e-10, "1.25e-10", "1.25e-10"},
      {123456.7, "123456.7", "123456.7"},
      {-1234567, "-1234567", "-1.234567e+06"},
      {12345678.5, "12345678.5", "1.23456785e+07"},
      {1e20, "100000000000000000000", "1e+20"},
      {1e21, "1e+21", "1e+21"},
      {9223372036854775808.0, "9223372036854776000", "9.223372036854776e+18"},
      {100000, "100000", "100000"},
      {0.0001, "0.0001", "0.0001"},
      {0.00001, "0.00001", "1e-05"},
      {5e-324, "5e-324", "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308", "1.7976931348623157e+308"},
      {5.684341886080802e-14, "5.684341886080802e-14", "5.684341886080802e-14"},
      {4503599627370496.5, "4503599627370496", "4.503599627370496e+15"},
      {0.1, "0.1", "0.1"},
      {21, "21", "21"}};
  for (const Case& c : kCases) {
    CAPTURE(c.value);
    CHECK(go_json_float(c.value) == c.json);
    CHECK(go_g_float(c.value) == c.g);
  }
}

TEST_CASE("parse_float: numbers, and what is none", "[base]") {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  struct Case {
    std::string_view text;
    std::optional<double> value;
  };
  static constexpr Case kCases[] = {
      {"0", 0.0},
      {"-1", -1.0},
      {"+1.5", 1.5},
      {"1.", 1.0},
      {".25", 0.25},
      {"00012.50", 12.5},
      {"0.0001e4", 1.0},
      {"1E3", 1000.0},
      {"1e-3", 0.001},
      {"1e+3", 1000.0},
      {"0e999999999999", 0.0},
      {"1e400", kInfinity},
      {"-1e999999999999", -kInfinity},
      {"1e-400", 0.0},
      {"1e-999999999999", 0.0},
      {"1.7976931348623157e308", 1.7976931348623157e308},
      {"1.797693134862315807e308", 1.7976931348623157e308},
      {"1.797693134862315809e308", kInfinity},
      {"4.9406564584124654e-324", 5e-324},
      {"2.4703282292062327e-324", 0.0},          // less than half of the smallest
      {"2.4703282292062328e-324", 5e-324},       // more
      {"9007199254740993", 9007199254740992.0},  // a midpoint: to the even one
      {"9007199254740993.00000000000000000000000000001", 9007199254740994.0},
      {"9007199254740995", 9007199254740996.0},
      {"", std::nullopt},
      {"-", std::nullopt},
      {".", std::nullopt},
      {"e1", std::nullopt},
      {"1e", std::nullopt},
      {"1e+", std::nullopt},
      {"1.2.3", std::nullopt},
      {"1 ", std::nullopt},
      {"inf", std::nullopt},
      {"0x10", std::nullopt}};
  for (const Case& c : kCases) {
    CAPTURE(c.text);
    CHECK(parse_float(c.text) == c.value);
  }
  CHECK(std::signbit(*parse_float("-0")));
}

TEST_CASE("parse_float: a digit far behind decides between two doubles", "[base]") {
  // Half of the smallest double has 751 digits: exactly half rounds to even, so 0; anything more
  // gives the smallest double.
  const std::string half = [] {
    char buffer[1200];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, std::numeric_limits<double>::denorm_min(),
                      std::chars_format::fixed, 1074)
            .ptr;
    std::string digits(buffer, end);
    // Divides by two by hand, from the front.
    int carry = 0;
    for (char& c : digits) {
      if (c == '.') continue;
      const int value = carry * 10 + (c - '0');
      c = static_cast<char>('0' + value / 2);
      carry = value % 2;
    }
    return digits + "5";
  }();
  CHECK(parse_float(half) == 0.0);
  CHECK(parse_float(half + std::string(500, '0')) == 0.0);
  CHECK(parse_float(half + std::string(500, '0') + "1") == 5e-324);
}

// Compares random doubles of all magnitudes with the standard library's algorithms.
TEST_CASE("float digits: shortest digits, and back", "[base]") {
  std::mt19937_64 random(20261122);
  for (int i = 0; i < 20000; ++i) {
    std::uint64_t bits = random();
    if (i % 4 == 1) bits &= ~((std::uint64_t{1} << 52) - 1);     // powers of two
    if (i % 4 == 2) bits &= (std::uint64_t{1} << (i % 53)) - 1;  // subnormal numbers
    const double value = std::bit_cast<double>(bits);
    if (!std::isfinite(value)) continue;
    char buffer[64];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    const std::string_view expected(buffer, static_cast<std::size_t>(end - buffer));
    CAPTURE(expected);
    REQUIRE(format_exponent(shortest_digits(value)) == expected);
    REQUIRE(std::bit_cast<std::uint64_t>(*parse_float(expected)) == bits);
  }
}

TEST_CASE("format_fixed: as printf", "[base]") {
  REQUIRE(format_fixed(0, 6) == "0.000000");
  REQUIRE(format_fixed(1.5, 6) == "1.500000");
  REQUIRE(format_fixed(0.9999999, 6) == "1.000000");
  REQUIRE(format_fixed(2.25, 1) == "2.2");  // a midpoint: to the even one
  REQUIRE(format_fixed(2.75, 1) == "2.8");
  REQUIRE(format_fixed(2.5, 0) == "2");
  REQUIRE(format_fixed(9.96, 1) == "10.0");
  std::mt19937_64 random(20261122);
  for (int i = 0; i < 20000; ++i) {
    const double value = static_cast<double>(random() >> random() % 40) /
                         static_cast<double>((random() >> random() % 40) | 1);
    if (value < 0x1p-7 || value >= 0x1p63) continue;
    for (const int decimals : {1, 6}) {
      char text[64];
      std::snprintf(text, sizeof text, "%.*f", decimals, value);
      CAPTURE(text);
      REQUIRE(format_fixed(value, decimals) == text);
    }
  }
}

// Random decimal numbers, midpoints between two doubles among them.
TEST_CASE("parse_float: as the standard library", "[base]") {
  std::mt19937_64 random(20261122);
  for (int i = 0; i < 20000; ++i) {
    std::string text = std::to_string(random());
    if (i % 3 == 0) text += std::to_string(random());
    if (i % 3 == 1) text = std::to_string((random() >> 10) | 1) + "5";
    if (i % 2 == 0) text.insert(text.size() / 2, ".");
    text += "e" + std::to_string(static_cast<int>(random() % 680) - 340);
    double expected = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), expected);
    CAPTURE(text);
    const double value = *parse_float(text);
    if (read.ec == std::errc()) {
      REQUIRE(value == expected);
    } else {
      REQUIRE((std::isinf(value) || value == 0));
    }
  }
}

}  // namespace
}  // namespace tabernetes

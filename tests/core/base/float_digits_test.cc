#include "base/float_digits.h"

#include <catch2/catch_test_macros.hpp>

#include "base/go_text.h"

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

}  // namespace
}  // namespace tabernetes

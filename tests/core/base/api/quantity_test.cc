#include "base/api/quantity.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>
#include <string_view>

namespace tabernetes {
namespace {

Quantity parsed(std::string_view text) {
  std::string_view error;
  const auto quantity = Quantity::parse(text, error);
  INFO(text);
  REQUIRE(quantity);
  return *quantity;
}

TEST_CASE("quantity: prints in canonical form", "[base]") {
  struct Case {
    std::string_view in, out;
  };
  static constexpr Case kCases[] = {
      {"0", "0"},
      {"00", "0"},
      {"0Ki", "0"},
      {"-0", "0"},
      {"0.0", "0"},
      {"+", "0"},
      {".", "0"},
      {"1", "1"},
      {"1000m", "1"},
      {"1500m", "1500m"},
      {"1.5", "1500m"},
      {"0.5", "500m"},
      {".5", "500m"},
      {"5.0", "5"},
      {"100m", "100m"},
      {"0.1m", "100u"},
      {"1000", "1k"},
      {"1100", "1100"},
      {"1000000", "1M"},
      {"1000k", "1M"},
      {"1E", "1E"},
      {"-5", "-5"},
      {"-1000", "-1k"},
      // Binary.
      {"1024Mi", "1Gi"},
      {"1.5Gi", "1536Mi"},
      {"-1.5Gi", "-1536Mi"},
      {"1536Mi", "1536Mi"},
      {"8Ki", "8Ki"},
      {"1024Ki", "1Mi"},
      {"1023Ki", "1023Ki"},
      {"1025Ki", "1025Ki"},
      {"0.5Ki", "512"},
      {"0.5Mi", "512Ki"},
      {"1.1Ki", "1126400m"},
      {"0.0001Ki", "102400u"},
      {"7Ei", "7Ei"},
      {"9Ei", "9223372036854775807"},
      {"99999999999Gi", "9223372036854775807"},
      // Exponents.
      {"1e3", "1e3"},
      {"1E3", "1E3"},
      {"10e3", "10e3"},
      {"1e4", "10e3"},
      {"2.5e3", "2500"},
      {"1e-3", "1e-3"},
      {"1000e3", "1e6"},
      // The finest unit is the nano; smaller values are rounded up to it.
      {"1n", "1n"},
      {"0.0000000001", "1n"},
      {"1e-10", "1e-9"},
      {"-0.0000000001", "-1n"},
      {"1.0000000001", "1000000001n"},
      // Beyond int64.
      {"123456789012345678901", "123456789012345678901"},
      {"12345678901234567890k", "12345678901234567890k"},
      {"100000000000000000000", "100E"},
      // Nearly canonical text is kept, however odd.
      {"5.", "5."},
      {"+1", "+1"},
      {"0100m", "0100m"},
      {"1.500", "1.500"},
      // There is no suffix above E, and upstream prints none.
      {"1000E", "1"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.in) {
      CHECK(parsed(c.in).to_string() == c.out);
      std::string storage;
      std::string_view error;
      CHECK(canonical_quantity(c.in, storage, error) == c.out);
    }
  }
}

// Texts the quick test calls canonical must equal what parsing and printing makes of them.
TEST_CASE("quantity: the short way to the canonical text gives the same", "[base]") {
  constexpr std::string_view kSuffixes[] = {"",   "m",  "k",  "M",  "G", "T",
                                            "Ki", "Mi", "Gi", "Ti", "u", "e3"};
  for (int number = 0; number < 1'100'000; number += number < 5000 ? 1 : 997) {
    for (const std::string_view suffix : kSuffixes) {
      const std::string text = std::to_string(number).append(suffix);
      std::string storage;
      std::string_view error;
      const auto canonical = canonical_quantity(text, storage, error);
      REQUIRE(canonical);
      if (*canonical != parsed(text).to_string()) FAIL(text << " became " << *canonical);
    }
  }
}

TEST_CASE("quantity: says what is wrong", "[base]") {
  constexpr std::string_view kFormat =
      "quantities must match the regular expression "
      "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
  constexpr std::string_view kSuffix = "unable to parse quantity's suffix";
  constexpr std::string_view kNumber = "unable to parse numeric part of quantity";
  struct Case {
    std::string_view in, error;
  };
  static constexpr Case kCases[] = {
      {"", kFormat},      {"lots", kFormat},   {"1 ", kFormat},
      {" 1", kFormat},    {"1Zi", kFormat},    {"5x", kFormat},
      {"1e5e", kFormat},  {"{}", kFormat},     {"true", kFormat},
      {"1.5.5", kFormat}, {"1mi", kSuffix},    {"1kk", kSuffix},
      {"1e", kSuffix},    {"1+5", kSuffix},    {"1EE3", kSuffix},
      {"Ei", kNumber},    {"-.e-12", kNumber}, {"1e99999999999999999999", kSuffix}};
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.in) {
      std::string_view error;
      CHECK_FALSE(Quantity::parse(c.in, error));
      CHECK(error == c.error);
    }
  }
}

TEST_CASE("quantity: compares by value", "[base]") {
  struct Case {
    std::string_view a, b;
    int order;
  };
  static constexpr Case kCases[] = {{"1", "1000m", 0},    {"1Ki", "1024", 0}, {"1Ki", "1k", 1},
                                    {"2", "10", -1},      {"-2", "1", -1},    {"-2", "-10", 1},
                                    {"0", "0Gi", 0},      {"0", "1n", -1},    {"0", "-1", 1},
                                    {"1.5", "1501m", -1}, {"1e3", "1k", 0}};
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.a << " and " << c.b) {
      CHECK(parsed(c.a).compare(parsed(c.b)) == c.order);
      CHECK(parsed(c.b).compare(parsed(c.a)) == -c.order);
    }
  }
}

TEST_CASE("quantity: whole and thousandth values round up", "[base]") {
  CHECK(parsed("1500m").value() == 2);
  CHECK(parsed("-1500m").value() == -2);
  CHECK(parsed("1500m").milli_value() == 1500);
  CHECK(parsed("1Gi").value() == 1073741824);
  CHECK(parsed("1u").milli_value() == 1);
  CHECK(parsed("0").milli_value() == 0);
  CHECK(parsed("1e30").value() == std::numeric_limits<std::int64_t>::max());
  CHECK(parsed("-1e30").value() == std::numeric_limits<std::int64_t>::min());
}

TEST_CASE("quantity: rounds up to a power of ten", "[base]") {
  Quantity quantity = parsed("100u");
  quantity.round_up(-3);
  CHECK(quantity.to_string() == "1m");
  quantity = parsed("+1");
  quantity.round_up(-3);
  CHECK(quantity.to_string() == "+1");
  quantity = parsed("999.9m");
  quantity.round_up(-3);
  CHECK(quantity.to_string() == "1");
}

TEST_CASE("quantity: adds in the notation of the first", "[base]") {
  struct Case {
    std::string_view a, b, sum;
  };
  static constexpr Case kCases[] = {
      {"1", "500m", "1500m"},     {"500m", "500m", "1"}, {"1Gi", "512Mi", "1536Mi"},
      {"1Gi", "1", "1073741825"}, {"0", "1Gi", "1Gi"},   {"1", "-1", "0"},
      {"1", "-3", "-2"},          {"999", "1", "1k"},    {"1Mi", "0", "1Mi"}};
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.a << " + " << c.b) {
      Quantity sum = parsed(c.a);
      sum.add(parsed(c.b));
      CHECK(sum.to_string() == c.sum);
    }
  }
  Quantity negated = parsed("5Mi");
  negated.negate();
  CHECK(negated.to_string() == "-5Mi");
  CHECK(Quantity::of(-2048, Quantity::Notation::kBinarySi).to_string() == "-2Ki");
}

}  // namespace
}  // namespace tabernetes

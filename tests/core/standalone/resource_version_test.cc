#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "../faults.h"
#include "base/numbers/entropy.h"
#include "tabernetes/standalone.h"

namespace tabernetes {
namespace {

int sign(std::string_view a, std::string_view b) {
  const auto compared = compare_resource_versions(a, b);
  REQUIRE(compared);
  return (*compared > 0) - (*compared < 0);
}

TEST_CASE("resource version: order by length, then by digits", "[standalone]") {
  struct Case {
    std::string_view a, b;
    int order;
  };
  static constexpr Case kCases[] = {
      {"9", "10", -1},
      {"10", "9", 1},
      {"10", "10", 0},
      {"18446744073709551616", "18446744073709551615", 1},
      {"345678901234567890123456789012345678901", "2345678901234567890123456789012345678901", -1},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.a << " and " << c.b) { CHECK(sign(c.a, c.b) == c.order); }
  }
}

TEST_CASE("resource version: what is none", "[standalone]") {
  for (const std::string_view bad :
       {"", "0", "007", "+1", "-1", "1a", "a", " 1", "1 ", "1.0", "٣"}) {
    const std::string error = "resource version is not well formed: " + std::string(bad);
    DYNAMIC_SECTION("'" << bad << "'") {
      CHECK(tests::message_of(compare_resource_versions(bad, "1")) == error);
      CHECK(tests::message_of(compare_resource_versions("1", bad)) == error);
      CHECK(tests::message_of(compare_resource_versions(bad, bad)) == error);
    }
  }
  CHECK(tests::message_of(compare_resource_versions("x", "y")) ==
        "resource version is not well formed: x");
}

// Returns numbers of 1 to 60 digits, many of them similar.
std::vector<std::string> some_versions(int count) {
  Entropy entropy({}, 1);
  std::vector<std::string> versions;
  for (int i = 0; i < count; ++i) {
    std::string version(1 + entropy.below(60), '1');
    version.back() = static_cast<char>('1' + entropy.below(9));
    if (entropy.below(2) == 0) version[version.size() / 2] = '5';
    if (entropy.below(4) == 0 && version.size() > 1) version.back() = '0';
    versions.push_back(std::move(version));
  }
  return versions;
}

TEST_CASE("resource version: a total order at all lengths", "[standalone][property]") {
  const std::vector<std::string> versions = some_versions(120);
  for (const std::string& a : versions) {
    CHECK(sign(a, a) == 0);
    for (const std::string& b : versions) {
      REQUIRE(sign(a, b) == -sign(b, a));
      REQUIRE((sign(a, b) == 0) == (a == b));
      for (const std::string& c : versions) {
        if (sign(a, b) <= 0 && sign(b, c) <= 0) REQUIRE(sign(a, c) <= 0);
      }
    }
  }
}

TEST_CASE("resource version: the order of the numbers", "[standalone][property]") {
  Entropy entropy({}, 2);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t a = (entropy.next() >> entropy.below(63)) + 1;
    const std::uint64_t b = (entropy.next() >> entropy.below(63)) + 1;
    REQUIRE(sign(std::to_string(a), std::to_string(b)) == (a > b) - (a < b));
  }
}

}  // namespace
}  // namespace tabernetes

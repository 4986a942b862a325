// compare_resource_versions() is a total order on decimal numbers of any length. Invariant 7.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "base/numbers/entropy.h"
#include "tabernetes/standalone.h"

namespace tabernetes {
namespace {

// Returns a number of 1 to 60 digits, often close to another.
std::string random_version(Entropy& entropy) {
  const std::uint64_t length = 1 + entropy.below(entropy.below(2) == 0 ? 3 : 60);
  std::string text(1, static_cast<char>('1' + entropy.below(9)));
  while (text.size() < length) {
    const std::uint64_t digit = entropy.below(3) == 0 ? entropy.below(10) : 0;
    text += static_cast<char>('0' + digit);
  }
  return text;
}

// Compares by long subtraction, digit by digit from the lowest.
int naive_order(const std::string& a, const std::string& b) {
  int borrow = 0;
  bool differs = false;
  for (std::size_t i = 0; i < 60; ++i) {
    const auto digit = [i](const std::string& text) {
      return i < text.size() ? text[text.size() - 1 - i] - '0' : 0;
    };
    const int rest = digit(a) - digit(b) - borrow;
    borrow = rest < 0 ? 1 : 0;
    differs = differs || rest != 0;
  }
  if (!differs) return 0;
  return borrow == 1 ? -1 : 1;
}

int order(const std::string& a, const std::string& b) {
  const auto result = compare_resource_versions(a, b);
  REQUIRE(result);
  return (*result > 0) - (*result < 0);
}

TEST_CASE("resource version property: a total order at every length", "[property]") {
  Entropy entropy({}, 7);
  for (int i = 0; i < 20'000; ++i) {
    const std::string a = random_version(entropy);
    const std::string b = entropy.below(10) == 0 ? a : random_version(entropy);
    const std::string c = random_version(entropy);
    REQUIRE(order(a, b) == naive_order(a, b));
    REQUIRE(order(a, b) == -order(b, a));
    if (order(a, b) <= 0 && order(b, c) <= 0) REQUIRE(order(a, c) <= 0);
  }
}

TEST_CASE("resource version property: what is no version compares with nothing", "[property]") {
  Entropy entropy({}, 8);
  for (const std::string wrong : {"", "0", "007", "+1", "1a", " 1", "1 ", "-1", "1.0"}) {
    const std::string expected = "resource version is not well formed: " + wrong;
    for (const auto& compared : {compare_resource_versions(wrong, "5"),
                                 compare_resource_versions(random_version(entropy), wrong)}) {
      REQUIRE_FALSE(compared);
      CHECK(compared.fault().message == expected);
    }
  }
}

}  // namespace
}  // namespace tabernetes

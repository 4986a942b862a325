#include "base/numbers/entropy.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

TEST_CASE("entropy: a seed gives SplitMix64's numbers", "[base]") {
  Entropy entropy({}, 1234567);
  CHECK(entropy.next() == 6457827717110365317u);
  CHECK(entropy.next() == 3203168211198807973u);
  CHECK(entropy.next() == 9817491932198370423u);
}

TEST_CASE("entropy: the host's source is read as big-endian bytes", "[base]") {
  unsigned char count = 0;
  Entropy entropy(
      [&](unsigned char* bytes, std::size_t size) {
        for (std::size_t i = 0; i < size; ++i) bytes[i] = ++count;
      },
      0);
  CHECK(entropy.next() == 0x0102030405060708u);
  CHECK(make_uid(entropy) == "090a0b0c-0d0e-4f10-9112-131415161718");
}

TEST_CASE("entropy: uids are of version 4 and differ", "[base]") {
  Entropy entropy({}, 7);
  const std::string first = make_uid(entropy);
  REQUIRE(first.size() == 36);
  CHECK(first[14] == '4');
  CHECK(std::string_view("89ab").find(first[19]) != std::string_view::npos);
  CHECK(make_uid(entropy) != first);
}

TEST_CASE("entropy: numbers below a bound are even", "[base]") {
  Entropy entropy({}, 3);
  std::array<int, 27> seen{};
  for (int i = 0; i < 27'000; ++i) ++seen[entropy.below(27)];
  for (const int n : seen) {
    CHECK(n > 850);
    CHECK(n < 1150);
  }
}

TEST_CASE("entropy: a draw that would make the numbers uneven is drawn again", "[base]") {
  // 2^64 mod 3 is 1: the draw 0 is rejected.
  std::uint64_t draw = 0;
  Entropy entropy(
      [&](unsigned char* bytes, std::size_t) { bytes[7] = static_cast<unsigned char>(draw++); }, 0);
  CHECK(entropy.below(3) == 1);
}

TEST_CASE("entropy: suffixes are of the alphabet of generated names", "[base]") {
  Entropy entropy({}, 9);
  const std::string suffix = make_name_suffix(entropy);
  CHECK(suffix.size() == 5);
  CHECK(suffix.find_first_not_of("bcdfghjklmnpqrstvwxz2456789") == std::string::npos);
  CHECK(make_name_suffix(entropy, 3).size() == 3);
}

}  // namespace
}  // namespace tabernetes

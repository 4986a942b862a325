#include "base/net/ip_address.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

namespace tabernetes {
namespace {

TEST_CASE("ip addresses: read and written as Go does", "[base]") {
  struct Case {
    std::string_view text, written;
  };
  static constexpr Case kCases[] = {
      {"10.0.0.1", "10.0.0.1"},
      {"010.0.0.1", "10.0.0.1"},
      {"1.2.3", ""},
      {"256.0.0.1", ""},
      {"::", "::"},
      {"::1", "::1"},
      {"2001:DB8:0::1", "2001:db8::1"},
      {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
      {"::ffff:1.2.3.4", "1.2.3.4"},
      {"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"},
      {"1::2::3", ""},
      {":1", ""},
      {"1:", ""},
      {"12345::", ""},
      {"fe80::1%eth0", ""},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text) {
      const auto ip = parse_ip(c.text);
      CHECK((ip ? ip->to_string() : std::string()) == c.written);
    }
  }
  CHECK(parse_ip("010.0.0.1")->leading_zeros);
  CHECK(parse_ip("::ffff:1.2.3.4")->mapped);
}

TEST_CASE("ip ranges: the network and what it holds", "[base]") {
  const auto range = parse_ip_range("10.1.2.3/8");
  REQUIRE(range);
  CHECK(range->to_string() == "10.0.0.0/8");
  CHECK(range->contains(*parse_ip("10.9.9.9")));
  CHECK_FALSE(range->contains(*parse_ip("11.0.0.0")));
  CHECK_FALSE(range->contains(*parse_ip("::1")));
  CHECK(parse_ip_range("2001:db8::1/33")->to_string() == "2001:db8::/33");
  for (const std::string_view text : {"10.0.0.0", "10.0.0.0/33", "::/129", "10.0.0.0/", "x/8"}) {
    CHECK_FALSE(parse_ip_range(text));
  }
}

}  // namespace
}  // namespace tabernetes

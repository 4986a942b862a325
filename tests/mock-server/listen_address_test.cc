#include "listen_address.h"

#include <catch2/catch_test_macros.hpp>

using tabernetes::host::ListenAddress;
using tabernetes::host::parse_listen_address;

TEST_CASE("listen address: host and port are told apart", "[host]") {
  struct Case {
    const char* in;
    const char* host;  // null if refused
    std::uint16_t port = 0;
  };
  static constexpr Case kCases[] = {
      {"127.0.0.1:8001", "127.0.0.1", 8001},
      {"localhost:0", "localhost", 0},
      {"[::1]:65535", "::1", 65535},
      {"0.0.0.0:80", "0.0.0.0", 80},
      {"8001", nullptr},
      {":8001", nullptr},
      {"::1:8001", nullptr},
      {"[]:1", nullptr},
      {"localhost:", nullptr},
      {"localhost:65536", nullptr},
      {"localhost:-1", nullptr},
      {"localhost:1x", nullptr},
      {"http://localhost:1", nullptr},
      {"", nullptr},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.in << "'") {
      const auto address = parse_listen_address(c.in);
      REQUIRE(address.has_value() == (c.host != nullptr));
      if (address) {
        CHECK(*address == ListenAddress{c.host, c.port});
        CHECK(to_string(*address) == c.in);
      }
    }
  }
}

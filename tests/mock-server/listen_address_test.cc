#include "listen_address.h"

#include <catch2/catch_test_macros.hpp>

using tabernetes::host::ListenAddress;
using tabernetes::host::ListenPlace;
using tabernetes::host::parse_listen_address;
using tabernetes::host::parse_listen_place;

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

TEST_CASE("listen place: an address or a Unix socket") {
  const auto socket = parse_listen_place("unix:///run/api.sock");
  REQUIRE(socket.has_value());
  CHECK(*socket == ListenPlace::unix_socket("/run/api.sock"));
  CHECK(socket->is_unix());
  CHECK(to_string(*socket) == "unix:///run/api.sock");
  const auto address = parse_listen_place("[::1]:7");
  REQUIRE(address.has_value());
  CHECK(*address == ListenPlace(ListenAddress{"::1", 7}));
  CHECK(to_string(*address) == "[::1]:7");
  for (const char* bad :
       {"unix://", "unix:///", "unix://api.sock", "unix:/api.sock", "/api.sock"}) {
    CHECK_FALSE(parse_listen_place(bad).has_value());
  }
}

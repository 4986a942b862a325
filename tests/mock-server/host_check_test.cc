#include "host_check.h"

#include <catch2/catch_test_macros.hpp>

using namespace tabernetes::host;

TEST_CASE("host check: which names are answered", "[host]") {
  const HostPolicy loopback{.listening = {"127.0.0.1"}, .allowed = {}};
  const HostPolicy wildcard{.listening = {"0.0.0.0"}, .allowed = {}};
  const HostPolicy named{.listening = {"Devbox.Local", "192.168.1.7"},
                         .allowed = {"kube.test", ".internal", "*.Example.com"}};
  const HostPolicy any{.listening = {"127.0.0.1"}, .allowed = {"*"}};
  struct Case {
    const char* authority;
    const HostPolicy& policy;
    bool allowed;
  };
  const Case cases[] = {
      {"127.0.0.1:8001", loopback, true},
      {"127.0.0.1", loopback, true},
      {"127.1.2.3:80", loopback, true},
      {"localhost:1", loopback, true},
      {"LOCALHOST", loopback, true},
      {"localhost.", loopback, true},
      {"kube.localhost:8001", loopback, true},
      {"[::1]:8001", loopback, true},
      {"evil.example", loopback, false},
      {"evil.example:8001", loopback, false},
      {"127.0.0.1.evil.example", loopback, false},
      {"127.evil.example", loopback, false},
      {"localhost.evil.example", loopback, false},
      {"notlocalhost", loopback, false},
      {"192.168.1.7", loopback, false},
      {"0.0.0.0:8001", loopback, false},
      {"[::1", loopback, false},
      {"", loopback, false},
      {":8001", loopback, false},
      {"192.168.1.7:8001", wildcard, true},
      {"0.0.0.0:8001", wildcard, true},
      {"[fe80::1]:8001", wildcard, true},
      {"evil.example", wildcard, false},
      {"1.2.3.4.example", wildcard, false},
      {"devbox.local:8001", named, true},
      {"192.168.1.7", named, true},
      {"192.168.1.8", named, false},
      {"kube.test", named, true},
      {"a.kube.test", named, false},
      {"a.internal", named, true},
      {"internal", named, false},
      {"a.b.example.com", named, true},
      {"example.com", named, false},
      {"badexample.com", named, false},
      {"evil.example", any, true},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION("'" << c.authority << "'") {
      CHECK(host_allowed(c.authority, c.policy) == c.allowed);
    }
  }
}

TEST_CASE("host check: pages of which origins may open a WebSocket", "[host]") {
  const HostPolicy loopback{.listening = {"127.0.0.1"}, .allowed = {}};
  const HostPolicy wildcard{.listening = {"0.0.0.0"}, .allowed = {}};
  const HostPolicy named{.listening = {"Devbox.Local"}, .allowed = {"kube.test", ".internal"}};
  const HostPolicy any{.listening = {"127.0.0.1"}, .allowed = {"*"}};
  struct Case {
    const char* origin;
    const char* authority;
    const HostPolicy& policy;
    bool allowed;
  };
  const Case cases[] = {
      {"http://localhost:3000", "127.0.0.1:8001", loopback, true},
      {"https://localhost", "127.0.0.1:8001", loopback, true},
      {"HTTP://LOCALHOST:5173", "127.0.0.1:8001", loopback, true},
      {"http://127.0.0.1:4466", "localhost:8001", loopback, true},
      {"http://[::1]:80", "localhost:8001", loopback, true},
      {"http://app.localhost", "localhost:8001", loopback, true},
      {"https://evil.example", "127.0.0.1:8001", loopback, false},
      {"http://localhost.evil.example", "127.0.0.1:8001", loopback, false},
      {"http://localhost@evil.example", "127.0.0.1:8001", loopback, false},
      {"http://evil.example/localhost", "127.0.0.1:8001", loopback, false},
      {"localhost:3000", "127.0.0.1:8001", loopback, false},
      {"file://", "127.0.0.1:8001", loopback, false},
      {"null", "127.0.0.1:8001", loopback, false},
      {"chrome-extension://localhost", "127.0.0.1:8001", loopback, false},
      {"http://", "127.0.0.1:8001", loopback, false},
      {"http://", "", loopback, false},
      {"http://192.168.1.7:8001", "192.168.1.7:8001", wildcard, true},
      {"http://192.168.1.7:3000", "192.168.1.7:8001", wildcard, true},
      {"http://203.0.113.9", "192.168.1.7:8001", wildcard, false},
      {"http://203.0.113.9", "127.0.0.1:8001", wildcard, false},
      {"http://0.0.0.0", "127.0.0.1:8001", wildcard, false},
      {"https://devbox.local:9", "127.0.0.1:8001", named, true},
      {"https://a.internal", "127.0.0.1:8001", named, true},
      {"https://kube.test:4433", "127.0.0.1:8001", named, true},
      {"https://a.kube.test", "127.0.0.1:8001", named, false},
      {"https://evil.example", "127.0.0.1:8001", any, true},
      {"file://", "127.0.0.1:8001", any, true},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION("'" << c.origin << "' to " << c.authority) {
      CHECK(origin_allowed(c.origin, c.authority, c.policy) == c.allowed);
    }
  }
}

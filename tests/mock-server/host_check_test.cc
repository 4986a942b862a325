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

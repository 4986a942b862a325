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

TEST_CASE("host check: a POST that needs no preflight, from which pages", "[host]") {
  const HostPolicy policy{.listening = {"127.0.0.1"}, .allowed = {"kube.test"}};
  const std::vector<std::string> cors = {R"(^https://good\.example$)"};
  struct Case {
    const char* what;
    const char* method;
    tabernetes::Headers headers;
    bool foreign;
  };
  const Case cases[] = {
      {"no browser", "POST", {}, false},
      {"a page of anywhere", "POST", {{"origin", "https://evil.example"}}, true},
      {"a sandboxed page", "POST", {{"origin", "null"}}, true},
      {"a form",
       "POST",
       {{"origin", "https://evil.example"}, {"content-type", "Text/Plain ;charset=x"}},
       true},
      {"a form with a file",
       "POST",
       {{"origin", "https://evil.example"}, {"content-type", "multipart/form-data; boundary=a"}},
       true},
      {"JSON, which waits for a preflight",
       "POST",
       {{"origin", "https://evil.example"}, {"content-type", "application/json"}},
       false},
      {"PUT, which does too", "PUT", {{"origin", "https://evil.example"}}, false},
      {"reading", "GET", {{"origin", "https://evil.example"}}, false},
      {"a page of this machine", "POST", {{"origin", "http://localhost:5173"}}, false},
      {"a page of an allowed host", "POST", {{"origin", "http://kube.test"}}, false},
      {"a page that CORS allows", "POST", {{"origin", "https://good.example"}}, false},
      {"the own page behind a proxy",
       "POST",
       {{"origin", "https://dash.example"}, {"sec-fetch-site", "same-origin"}},
       false},
      {"a bookmark", "POST", {{"sec-fetch-site", "none"}}, false},
      {"a sibling of the page behind a proxy",
       "POST",
       {{"origin", "https://a.dash.example"}, {"sec-fetch-site", "same-site"}},
       true},
      {"a page that hides its origin", "POST", {{"sec-fetch-site", "cross-site"}}, true},
      {"the own page behind a proxy that says so",
       "POST",
       {{"origin", "http://dash.example:81"}, {"x-forwarded-host", "Dash.example"}},
       false},
      {"another page behind a proxy that says so",
       "POST",
       {{"origin", "http://evil.example"}, {"x-forwarded-host", "dash.example"}},
       true},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.what) {
      tabernetes::Request request;
      request.method = c.method;
      request.headers = c.headers;
      CHECK(is_foreign_write(request, "127.0.0.1:8001", policy, cors) == c.foreign);
    }
  }
}

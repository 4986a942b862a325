#include "base/go/url.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

namespace tabernetes {
namespace {

// Recorded from Go 1.26.
TEST_CASE("go_url: request URIs", "[base]") {
  for (const std::string_view good : {"*",
                                      "/",
                                      "//",
                                      "//h:x",
                                      "/a b",
                                      "localhost:3000",
                                      "a.b:1",
                                      "app:x",
                                      "http:?x",
                                      "file://",
                                      "http://",
                                      "http://h:",
                                      "HTTP://X",
                                      "http://u@h",
                                      "http://u:p@ss@h",
                                      "http://a_b",
                                      "http://a<b",
                                      "http://a\"b",
                                      "http://\xc3\xbc",
                                      "http://h?%zz",
                                      "http://[::1]:80",
                                      "http://[fe80::1%25en0]:80",
                                      "http://a%c3%bc",
                                      "chrome-extension://abc",
                                      "app://a:b:1",
                                      "http://localhost:3000",
                                      "https://dashboard.example.com",
                                      "http:/x",
                                      "http://a%25"}) {
    CAPTURE(good);
    CHECK(is_go_request_uri(good));
  }
  for (const std::string_view bad : {"",
                                     "null",
                                     "a",
                                     "x",
                                     ":x",
                                     "1:x",
                                     "?x",
                                     "http://a b",
                                     "http://%zz",
                                     "http://[::1",
                                     "http://[::1]x",
                                     "http://x[::1]",
                                     "http://[1.2.3.4]",
                                     "http://[]",
                                     "http://[fe80::1%en0]",
                                     "http://h:port",
                                     "http://h:8a",
                                     "http://a:b:1",
                                     "HTTPS://a:b:1",
                                     "app://a:b",
                                     "http://h/%zz",
                                     "http://u:%zz@h",
                                     "http://u{@h",
                                     "http://a%20b",
                                     "http://a%41b",
                                     "http://h#x",
                                     "/%",
                                     "/\x7f",
                                     "http://h\n"}) {
    CAPTURE(bad);
    CHECK_FALSE(is_go_request_uri(bad));
  }
}

}  // namespace
}  // namespace tabernetes

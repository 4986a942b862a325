#include "target.h"

#include <catch2/catch_test_macros.hpp>

using tabernetes::host::split_absolute_form;

TEST_CASE("target: the absolute form is split, all else passes", "[host]") {
  struct Case {
    const char* in;
    const char* authority;
    const char* target;
  };
  static constexpr Case kCases[] = {
      {"/api/v1/pods?watch=1", "", "/api/v1/pods?watch=1"},
      {"http://evil.example:80/api?x=1", "evil.example:80", "/api?x=1"},
      {"http://h", "h", "/"},
      {"http://h?x", "h", "?x"},
      {"*", "", "*"},
      {"example.com:443", "", "example.com:443"},
      {"//a/../b", "", "//a/../b"},
      {"/http://x/", "", "/http://x/"},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.in) {
      CHECK(split_absolute_form(c.in).authority == c.authority);
      CHECK(split_absolute_form(c.in).target == c.target);
    }
  }
}

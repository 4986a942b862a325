#include "base/text/base64.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

TEST_CASE("base64: encodes and decodes", "[base]") {
  struct Case {
    std::string_view bytes, text;
  };
  static constexpr Case kCases[] = {{"", ""},
                                    {"f", "Zg=="},
                                    {"fo", "Zm8="},
                                    {"foo", "Zm9v"},
                                    {"foob", "Zm9vYg=="},
                                    {"\xff\xfe\xfd", "//79"},
                                    {std::string_view("\0\0", 2), "AAA="}};
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text) {
      CHECK(base64_encode(c.bytes) == c.text);
      CHECK(base64_decode(c.text) == c.bytes);
      CHECK_FALSE(check_base64(c.text).error_at);
      CHECK(check_base64(c.text).canonical);
    }
  }
}

TEST_CASE("base64: errors lie where Go sees them", "[base]") {
  struct Case {
    std::string_view text;
    std::size_t at;
  };
  static constexpr Case kCases[] = {{"not base64!", 3}, {"!", 0},    {"Zg", 0},       {"Zg=", 3},
                                    {"Z===", 1},        {"Zg=a", 2}, {"Zg==Zg==", 4}, {"Zm9vZ", 4},
                                    {"Zm9v=", 4},       {"=", 0},    {"Zm8=\nx", 5},  {"Zm9v-", 4}};
  for (const Case& c : kCases) {
    DYNAMIC_SECTION(c.text) {
      CHECK(check_base64(c.text).error_at == c.at);
      CHECK_FALSE(base64_decode(c.text));
    }
  }
}

TEST_CASE("base64: line breaks and stray bits are read but not canonical", "[base]") {
  for (const std::string_view text : {"Zm9v\n", "Zm\r\n9v", "Zh==", "Zm9="}) {
    CHECK_FALSE(check_base64(text).error_at);
    CHECK_FALSE(check_base64(text).canonical);
  }
  CHECK(base64_decode("Zm\r\n9v") == "foo");
  CHECK(base64_decode("Zh==") == "f");
}

}  // namespace
}  // namespace tabernetes

#include "base/text/ascii.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes {
namespace {

// Which of all 256 bytes a class has, in order.
template <typename Is>
std::string members(const Is& is) {
  std::string all;
  for (int c = 0; c < 256; ++c) {
    if (is(static_cast<char>(c))) all += static_cast<char>(c);
  }
  return all;
}

TEST_CASE("ascii: each class has its characters and no byte beyond ASCII", "[base]") {
  const std::string digits = "0123456789", upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
                    lower = "abcdefghijklmnopqrstuvwxyz";
  CHECK(members(is_digit) == digits);
  CHECK(members(is_octal) == "01234567");
  CHECK(members(is_hex) == digits + "ABCDEF" + "abcdef");
  CHECK(members(is_lower) == lower);
  CHECK(members(is_upper) == upper);
  CHECK(members(is_letter) == upper + lower);
  CHECK(members(is_lower_or_digit) == digits + lower);
  CHECK(members(is_letter_or_digit) == digits + upper + lower);
  CHECK(members(is_word_character) == digits + upper + "_" + lower);
  CHECK(members(is_blank) == "\t\n\r ");
}

TEST_CASE("ascii: a number is digits, at least one", "[base]") {
  CHECK(is_number("0"));
  CHECK(is_number("007"));
  for (const std::string_view text : {"", "-1", "+1", "1.0", " 1", "1a", "\xC2\xB2"}) {
    CAPTURE(text);
    CHECK_FALSE(is_number(text));
  }
}

TEST_CASE("ascii: hexadecimal digits have values, bytes have digits", "[base]") {
  CHECK(hex_value('0') == 0);
  CHECK(hex_value('9') == 9);
  CHECK(hex_value('a') == 10);
  CHECK(hex_value('F') == 15);
  for (const char c : {'g', 'G', '/', ':', '@', '`', '\x10'}) CHECK(hex_value(c) == -1);
  CHECK(hex_text("") == "");
  CHECK(hex_text({"\x00\x1f\xff", 3}) == "001fff");
  CHECK(hex_text("\xab", kUpperHexDigits) == "AB");
}

TEST_CASE("ascii: case changes of letters only", "[base]") {
  CHECK(ascii_lower("aZ[@`\xC3\x84") == "az[@`\xC3\x84");
  CHECK(ascii_upper('z') == 'Z');
  CHECK(ascii_upper('{') == '{');
  CHECK(equals_ignoring_case("Content-Type", "content-TYPE"));
  CHECK_FALSE(equals_ignoring_case("a", "ab"));
  CHECK_FALSE(equals_ignoring_case("@", "`"));
}

}  // namespace
}  // namespace tabernetes

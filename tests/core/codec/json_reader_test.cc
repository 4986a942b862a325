#include "codec/json_reader.h"

#include <catch2/catch_test_macros.hpp>
#include <limits>
#include <string>

#include "codec/json_writer.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Value;
using namespace std::string_view_literals;

// The expected messages are those of Go 1.26.
TEST_CASE("json reader: a fault gets encoding/json's message", "[codec]") {
  struct Case {
    std::string_view text, error;
  };
  static constexpr Case kCases[] = {
      {""sv, "unexpected end of JSON input"},
      {"  "sv, "unexpected end of JSON input"},
      {"hello"sv, "invalid character 'h' looking for beginning of value"},
      {"nope"sv, "invalid character 'o' in literal null (expecting 'u')"},
      {"{"sv, "unexpected end of JSON input"},
      {"["sv, "unexpected end of JSON input"},
      {"[1"sv, "unexpected end of JSON input"},
      {"[1,"sv, "unexpected end of JSON input"},
      {"{\"a\""sv, "unexpected end of JSON input"},
      {"{\"a\":"sv, "unexpected end of JSON input"},
      {"{\"a\":1"sv, "unexpected end of JSON input"},
      {"{\"a\":1,"sv, "unexpected end of JSON input"},
      {"}"sv, "invalid character '}' looking for beginning of value"},
      {"]"sv, "invalid character ']' looking for beginning of value"},
      {"[}"sv, "invalid character '}' looking for beginning of value"},
      {"{]"sv, "invalid character ']' looking for beginning of object key string"},
      {"{}t"sv, "invalid character 't' after top-level value"},
      {"{} {}"sv, "invalid character '{' after top-level value"},
      {"[1 2]"sv, "invalid character '2' after array element"},
      {"[1,]"sv, "invalid character ']' looking for beginning of value"},
      {"{\"a\" 1}"sv, "invalid character '1' after object key"},
      {"{\"a\":1 \"b\":2}"sv, "invalid character '\"' after object key:value pair"},
      {"{\"a\":1,}"sv, "invalid character '}' looking for beginning of object key string"},
      {"{a:1}"sv, "invalid character 'a' looking for beginning of object key string"},
      {"{'a':1}"sv, "invalid character '\\'' looking for beginning of object key string"},
      {"tru"sv, "invalid character ' ' in literal true (expecting 'e')"},
      {"trux"sv, "invalid character 'x' in literal true (expecting 'e')"},
      {"falsy"sv, "invalid character 'y' in literal false (expecting 'e')"},
      {"nulL"sv, "invalid character 'L' in literal null (expecting 'l')"},
      {"\"abc"sv, "unexpected end of JSON input"},
      {"\"a\nb\""sv, "invalid character '\\n' in string literal"},
      {"\"a\x01\""sv, "invalid character '\\x01' in string literal"},
      {"\"\\x\""sv, "invalid character 'x' in string escape code"},
      {"\"\\u12g4\""sv, "invalid character 'g' in \\u hexadecimal character escape"},
      {"\"\\u12"sv, "invalid character ' ' in \\u hexadecimal character escape"},
      {"\"\\"sv, "invalid character ' ' in string escape code"},
      {"-"sv, "invalid character ' ' in numeric literal"},
      {"-a"sv, "invalid character 'a' in numeric literal"},
      {"1."sv, "invalid character ' ' after decimal point in numeric literal"},
      {"1.a"sv, "invalid character 'a' after decimal point in numeric literal"},
      {"1e"sv, "invalid character ' ' in exponent of numeric literal"},
      {"1e+"sv, "invalid character ' ' in exponent of numeric literal"},
      {"1ex"sv, "invalid character 'x' in exponent of numeric literal"},
      {"01"sv, "invalid character '1' after top-level value"},
      {"+1"sv, "invalid character '+' looking for beginning of value"},
      {".5"sv, "invalid character '.' looking for beginning of value"},
      {"0x1"sv, "invalid character 'x' after top-level value"},
      {"1a"sv, "invalid character 'a' after top-level value"},
      {"[01]"sv, "invalid character '1' after array element"},
      {"{\"a\":01}"sv, "invalid character '1' after object key:value pair"},
      {"\xEF\xBB\xBF{}"sv, "invalid character 'ï' looking for beginning of value"},
      {"\xff"sv, "invalid character 'ÿ' looking for beginning of value"},
      {"\x00"sv, "invalid character '\\x00' looking for beginning of value"},
      {"\x7f"sv, "invalid character '\\x7f' looking for beginning of value"},
      {"\xC2\xA0"sv, "invalid character 'Â' looking for beginning of value"},
      {"{} \x00"sv, "invalid character '\\x00' after top-level value"},
      {"[1,'\\']"sv, "invalid character '\\'' looking for beginning of value"},
      {"\\"sv, "invalid character '\\\\' looking for beginning of value"},
      {"'"sv, "invalid character '\\'' looking for beginning of value"},
      {"\v"sv, "invalid character '\\v' looking for beginning of value"},
      {"NaN"sv, "invalid character 'N' looking for beginning of value"},
      {"Infinity"sv, "invalid character 'I' looking for beginning of value"},
      {"[1]]"sv, "invalid character ']' after top-level value"},
      {"\"\\u123\""sv, "invalid character '\"' in \\u hexadecimal character escape"},
      {"{\"a\":tru}"sv, "invalid character '}' in literal true (expecting 'e')"},
      {"//c"sv, "invalid character '/' looking for beginning of value"},
      {"{\"a\":1,,}"sv, "invalid character ',' looking for beginning of object key string"},
      {"[-]"sv, "invalid character ']' in numeric literal"},
      {"1 2"sv, "invalid character '2' after top-level value"},
      {"\"a\"b"sv, "invalid character 'b' after top-level value"},
      {"\x80"sv, "invalid character '\\u0080' looking for beginning of value"},
      {"\xad"sv, "invalid character '\\u00ad' looking for beginning of value"},
      {"\xC3\xA9"sv, "invalid character 'Ã' looking for beginning of value"},
      {"[\"a\",b]"sv, "invalid character 'b' looking for beginning of value"},
      {"-\""sv, "invalid character '\"' in numeric literal"},
      {"{\"\\ud800\\x\":1}"sv, "invalid character 'x' in string escape code"},
  };
  for (const Case& c : kCases) {
    CAPTURE(c.text);
    Arena arena;
    CHECK(read_json(c.text, arena).error == c.error);
  }
}

TEST_CASE("json reader: numbers are int64 where they are written so and fit", "[codec]") {
  struct Case {
    std::string_view text;
    bool is_int;
    std::int64_t integer;
    double real;
  };
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  static constexpr Case kCases[] = {{"0", true, 0, 0},
                                    {"-0", true, 0, 0},
                                    {"-1", true, -1, 0},
                                    {"9223372036854775807", true, INT64_MAX, 0},
                                    {"-9223372036854775808", true, INT64_MIN, 0},
                                    {"9223372036854775808", false, 0, 9223372036854775808.0},
                                    {"-9223372036854775809", false, 0, -9223372036854775808.0},
                                    {"18446744073709551616", false, 0, 18446744073709551616.0},
                                    {"5.0", false, 0, 5},
                                    {"1e1", false, 0, 10},
                                    {"-0.0", false, 0, -0.0},
                                    {"1.5E-3", false, 0, 0.0015},
                                    {"1E400", false, 0, kInfinity},
                                    {"-1e999", false, 0, -kInfinity},
                                    {"1e-400", false, 0, 0}};
  for (const Case& c : kCases) {
    // Alone, and followed by another character.
    for (const std::string& text : {std::string(c.text), "[" + std::string(c.text) + ",1]"}) {
      CAPTURE(text);
      Arena arena;
      const JsonRead read = read_json(text, arena);
      REQUIRE(read.ok());
      const Value value = read.value.is_array() ? read.value.items()[0] : read.value;
      REQUIRE(value.is_int() == c.is_int);
      if (c.is_int) {
        CHECK(value.as_int() == c.integer);
      } else {
        CHECK(value.as_double() == c.real);
        CHECK(value.double_text() == c.text);
      }
    }
  }
}

TEST_CASE("json reader: broken Unicode becomes U+FFFD as in Go", "[codec]") {
  struct Case {
    std::string_view text, value;
  };
  static constexpr Case kCases[] = {{R"("\ud800")", "\uFFFD"},
                                    {R"("\ud800\udc00")", "\U00010000"},
                                    {R"("\udc00\ud800")", "\uFFFD\uFFFD"},
                                    {R"("\ud800x")", "\uFFFDx"},
                                    {R"("\ud800\u0041")", "\uFFFDA"},
                                    {"\"\xFF\"", "\uFFFD"},
                                    {"\"\xE2\x82\"", "\uFFFD\uFFFD"},
                                    {"\"\xED\xA0\x80\"", "\uFFFD\uFFFD\uFFFD"},
                                    {"\"\xF5\x80\x80\x80\"", "\uFFFD\uFFFD\uFFFD\uFFFD"},
                                    {"\"\xC0\x80\"", "\uFFFD\uFFFD"},
                                    {R"("\\ud800")", "\\ud800"},
                                    {R"("\\\ud800")", "\\\uFFFD"},
                                    {R"("\ud83d\ude00\/\u0000")", "\U0001F600/\0"sv},
                                    {"\"a\x7F\"", "a\x7F"}};
  for (const Case& c : kCases) {
    CAPTURE(c.text);
    Arena arena;
    const JsonRead read = read_json(c.text, arena);
    REQUIRE(read.error.empty());
    REQUIRE(read.value.is_string());
    CHECK(read.value.as_string() == c.value);
  }
}

TEST_CASE("json reader: a key that stands twice stays twice", "[codec]") {
  Arena arena;
  const JsonRead read = read_json(R"({"a":1,"b":{},"a":2})", arena);
  REQUIRE(read.ok());
  CHECK(read.value.size() == 3);
  CHECK(read.value.find("a")->as_int() == 2);
}

TEST_CASE("json reader: the tree does not need the text", "[codec]") {
  Arena arena;
  std::string text = R"({"plain":["string","with \n escape",1.25]})";
  const JsonRead read = read_json(text, arena);
  text.assign(text.size(), 'x');
  std::string out;
  write_json(read.value, out);
  CHECK(out == R"({"plain":["string","with \n escape",1.25]})");
}

TEST_CASE("json reader: large objects are indexed", "[codec]") {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + ",";
  text.back() = '}';
  Arena arena;
  const JsonRead read = read_json(text, arena);
  REQUIRE(read.value.size() == 100);
  for (int i = 0; i < 100; ++i) {
    const Value* found = read.value.find("k" + std::to_string(i));
    REQUIRE(found);
    CHECK(found->as_int() == i);
  }
}

TEST_CASE("json reader: ten thousand levels are read, one more is an error", "[codec]") {
  struct Case {
    std::string_view open, close;
  };
  for (const Case& c : {Case{"[", "]"}, Case{"{\"a\":", "}"}}) {
    const auto nested = [&c](int depth) {
      std::string text;
      for (int i = 0; i < depth; ++i) text += c.open;
      text += "1";
      for (int i = 0; i < depth; ++i) text += c.close;
      return text;
    };
    Arena arena;
    const JsonRead deepest = read_json(nested(10000), arena);
    CHECK(deepest.error.empty());
    std::string out;
    write_json(deepest.value, out);
    CHECK(out == nested(10000));
    CHECK(read_json(nested(10001), arena).error ==
          "invalid character '" + std::string(1, c.open[0]) + "' exceeded max depth");
  }
}

}  // namespace
}  // namespace tabernetes::codec

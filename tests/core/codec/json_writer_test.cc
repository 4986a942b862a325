#include "codec/json_writer.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"
#include "json/encoded_size.h"
#include "json/equality.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Value;
using namespace std::string_view_literals;

TEST_CASE("json writer: strings are escaped as encoding/json does", "[codec]") {
  struct Case {
    std::string_view text, written;
  };
  static constexpr Case kCases[] = {{"", R"("")"},
                                    {"a<b>&c", R"("a\u003cb\u003e\u0026c")"},
                                    {"\u2027\u2028\u2029\u202A", "\"\u2027\\u2028\\u2029\u202A\""},
                                    {"a\xD9z\xE2\x80", "\"a\\ufffdz\\ufffd\\ufffd\""},
                                    {"\b\f\n\r\t\0\x1F"sv, R"("\b\f\n\r\t\u0000\u001f")"},
                                    {"\x7F\"\\/'", "\"\x7F\\\"\\\\/'\""},
                                    {"é☃😀", "\"é☃😀\""},
                                    {"\xE2", R"("\ufffd")"}};
  for (const Case& c : kCases) {
    std::string out;
    write_json_string(c.text, out);
    CHECK(out == c.written);
    CHECK(json::encoded_size(Value::string(c.text)) == c.written.size());
  }
}

TEST_CASE("json writer: a byte is escaped wherever in a string it stands", "[codec]") {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string text(1, static_cast<char>(byte));
    std::string alone;
    write_json_string(text, alone);
    for (std::size_t before = 0; before < 20; ++before) {
      const std::string head(before, ' ');
      const std::string tail(20 - before, '~');
      std::string out;
      write_json_string(head + text + tail, out);
      REQUIRE(out == "\"" + head + alone.substr(1, alone.size() - 2) + tail + "\"");
    }
  }
}

TEST_CASE("json writer: what was read is written in Go's form", "[codec]") {
  struct Case {
    std::string_view text, written;
  };
  static constexpr Case kCases[] = {
      {" { \"b\" : [ 1 , 2 ] , \"a\" : null } ", R"({"b":[1,2],"a":null})"},
      {"[true,false,{},[],\"\"]", R"([true,false,{},[],""])"},
      {"[1.0,1e3,1e20,1e21,1e-7,0.000001]", "[1,1000,100000000000000000000,1e+21,1e-7,0.000001]"},
      {"[-0,9223372036854775808,-9223372036854775808]",
       "[0,9223372036854776000,-9223372036854775808]"},
      {R"(["\u003c\/\u00e9"])", "[\"\\u003c/é\"]"},
      {"[1E999,-1e400]", "[1E999,-1e400]"},
      {R"({"a":1,"a":2})", R"({"a":1,"a":2})"}};
  for (const Case& c : kCases) {
    CAPTURE(c.text);
    Arena arena;
    const JsonRead read = read_json(c.text, arena);
    REQUIRE(read.error.empty());
    std::string out = "kept ";
    write_json(read.value, out);
    CHECK(out == "kept " + std::string(c.written));
  }
}

TEST_CASE("json writer: pretty printing has two spaces and empty containers on one line",
          "[codec]") {
  constexpr std::string_view kCompact =
      R"({"a":[1,{"b":"x:{[,\"\\"}],"c":{},"d":[],"e":{"f":[[]]}})";
  constexpr std::string_view kPretty = R"({
  "a": [
    1,
    {
      "b": "x:{[,\"\\"
    }
  ],
  "c": {},
  "d": [],
  "e": {
    "f": [
      []
    ]
  }
})";
  Arena arena;
  const JsonRead read = read_json(kCompact, arena);
  REQUIRE(read.error.empty());
  std::string written, reformatted;
  write_json_pretty(read.value, written);
  CHECK(written == kPretty);
  prettify_json(kCompact, reformatted);
  CHECK(reformatted == kPretty);
}

// Returns a pseudo-random tree, alternately wide and deep.
Value random_tree(std::uint64_t& state, int depth, Arena& arena) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  const std::uint64_t bits = state >> 20;
  switch (depth == 0 ? bits % 6 : bits % 8) {
    case 0:
      return Value::null();
    case 1:
      return Value::boolean((bits & 8) != 0);
    case 2:
      return Value::integer(static_cast<std::int64_t>(state));
    case 3: {
      const double mantissa = static_cast<double>(bits % 1000003) / 7;
      return Value::number(arena, bits % 16 < 8 ? mantissa * 1e18 : mantissa * 1e-12);
    }
    case 4:
    case 5: {
      std::string text;
      for (std::uint64_t i = 0; i < bits % 9; ++i) text += static_cast<char>(bits >> (i * 4) & 127);
      return Value::string(arena.copy(text));
    }
    case 6: {
      Value array = Value::array(arena);
      for (std::uint64_t i = 0; i < bits % 5; ++i) {
        array.push_back(arena, random_tree(state, depth - 1, arena));
      }
      return array;
    }
    default: {
      Value object = Value::object(arena);
      for (std::uint64_t i = 0; i < bits % 50; ++i) {
        object.append(arena, arena.copy("k" + std::to_string(i)),
                      random_tree(state, depth > 2 ? 2 : depth - 1, arena));
      }
      return object;
    }
  }
}

TEST_CASE("json writer: reading what was written gives the same tree", "[codec]") {
  std::uint64_t state = 42;
  for (int round = 0; round < 500; ++round) {
    Arena arena;
    const Value tree = random_tree(state, 6, arena);
    std::string compact, pretty, reformatted;
    write_json(tree, compact);
    REQUIRE(json::encoded_size(tree) == compact.size());
    write_json_pretty(tree, pretty);
    prettify_json(compact, reformatted);
    REQUIRE(reformatted == pretty);
    for (const std::string& text : {compact, pretty}) {
      const JsonRead read = read_json(text, arena);
      REQUIRE(read.error.empty());
      REQUIRE(json::deep_equal(read.value, tree));
      std::string again;
      write_json(read.value, again);
      REQUIRE(again == compact);
    }
  }
}

}  // namespace
}  // namespace tabernetes::codec

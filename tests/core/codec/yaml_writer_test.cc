#include <catch2/catch_test_macros.hpp>
#include <span>
#include <string>

#include "../data.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/yaml.h"
#include "json/equality.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Value;

struct WriterCase {
  std::string_view json, yaml;
};

void check_writer(std::span<const WriterCase> cases) {
  for (const WriterCase& c : cases) {
    CAPTURE(c.json);
    Arena arena;
    const JsonRead tree = read_json(c.json, arena);
    REQUIRE(tree.error.empty());
    std::string yaml;
    REQUIRE(write_yaml(tree.value, yaml));
    CHECK(yaml == c.yaml);
    const YamlRead read = read_yaml(yaml, arena);
    CHECK(read.error.empty());
    CHECK(json::deep_equal(read.value, tree.value));
  }
}

// Expectations are those of sigs.k8s.io/yaml 1.6.
TEST_CASE("yaml writer: strings are quoted where they must be", "[codec]") {
  static constexpr WriterCase kCases[] = {
      {"\"plain\"", "plain\n"},
      {"\"\"", "\"\"\n"},
      {"\"yes\"", "\"yes\"\n"},
      {"\"y\"", "\"y\"\n"},
      {"\"No\"", "\"No\"\n"},
      {"\"on\"", "\"on\"\n"},
      {"\"true\"", "\"true\"\n"},
      {"\"null\"", "\"null\"\n"},
      {"\"~\"", "\"~\"\n"},
      {"\"1\"", "\"1\"\n"},
      {"\"-1\"", "\"-1\"\n"},
      {"\"1.5\"", "\"1.5\"\n"},
      {"\"1e3\"", "\"1e3\"\n"},
      {"\"0x1F\"", "\"0x1F\"\n"},
      {"\"0o7\"", "\"0o7\"\n"},
      {"\"0o8\"", "0o8\n"},
      {"\"1_000\"", "\"1_000\"\n"},
      {"\".5\"", "\".5\"\n"},
      {"\".inf\"", "\".inf\"\n"},
      {"\".nan\"", "\".nan\"\n"},
      {"\"2001-01-01\"", "\"2001-01-01\"\n"},
      {"\"2001-1-1\"", "\"2001-1-1\"\n"},
      {"\"2001-02-30\"", "2001-02-30\n"},
      {"\"2001-01-01T00:00:00Z\"", "\"2001-01-01T00:00:00Z\"\n"},
      {"\"2001-01-01 10:00:00\"", "\"2001-01-01 10:00:00\"\n"},
      {"\"2001-01-01 10:00\"", "2001-01-01 10:00\n"},
      {"\"1:30\"", "\"1:30\"\n"},
      {"\"12:30:45\"", "\"12:30:45\"\n"},
      {"\"1:99\"", "1:99\n"},
      {"\"190:20:30.15\"", "\"190:20:30.15\"\n"},
      {"\"a: b\"", "'a: b'\n"},
      {"\"a:b\"", "a:b\n"},
      {"\"a:\"", "'a:'\n"},
      {"\":a\"", ":a\n"},
      {"\": a\"", "': a'\n"},
      {"\"- a\"", "'- a'\n"},
      {"\"-a\"", "-a\n"},
      {"\"-\"", "'-'\n"},
      {"\"--- a\"", "'--- a'\n"},
      {"\"...\"", "'...'\n"},
      {"\"? a\"", "'? a'\n"},
      {"\"?a\"", "?a\n"},
      {"\"#a\"", "'#a'\n"},
      {"\"a #b\"", "'a #b'\n"},
      {"\"a#b\"", "a#b\n"},
      {"\"@a\"", "'@a'\n"},
      {"\"`a\"", "'`a'\n"},
      {"\"%a\"", "'%a'\n"},
      {"\"\\u0026a\"", "'&a'\n"},
      {"\"*a\"", "'*a'\n"},
      {"\"!a\"", "'!a'\n"},
      {"\"|a\"", "'|a'\n"},
      {"\"\\u003ea\"", "'>a'\n"},
      {"\"'a'\"", "'''a'''\n"},
      {"\"it's\"", "it's\n"},
      {"\"\\\"a\"", "'\"a'\n"},
      {"\"[a\"", "'[a'\n"},
      {"\"]a\"", "']a'\n"},
      {"\"{a\"", "'{a'\n"},
      {"\"}a\"", "'}a'\n"},
      {"\",a\"", "',a'\n"},
      {"\"a,b\"", "a,b\n"},
      {"\" a\"", "' a'\n"},
      {"\"a \"", "'a '\n"},
      {"\"a\\tb\"", "\"a\\tb\"\n"},
      {"\"a\\n\"", "|\n  a\n"},
      {"\"a\\nb\"", "|-\n  a\n  b\n"},
      {"\"a\\n\\n\"", "|+\n  a\n\n"},
      {"\"\\n\"", "|2+\n\n"},
      {"\"\\na\"", "|2-\n\n  a\n"},
      {"\" a\\nb\"", "|2-\n   a\n  b\n"},
      {"\"a\\n b\\n\"", "|\n  a\n   b\n"},
      {"\"a \\nb\"", "\"a \\nb\"\n"},
      {"\"a\\tb\\nc\"", "\"a\\tb\\nc\"\n"},
      {"\"\\u0000\"", "\"\\0\"\n"},
      {"\"\\u001b[0m\"", "\"\\e[0m\"\n"},
      {"\"\u00a0\"", "\u00a0\n"},
      {"\"\\u2028\"", "'\u2028'\n"},
      {"\"\ufeffa\"", "\"\\uFEFF\\x61\"\n"},
      {"\"\U0001f600\"", "\"\\U0001F600\"\n"},
      {"\"\u00e9\u2603\"", "\u00e9\u2603\n"},
      {"\"=\"", "=\n"},
      {"\"\\u003c\\u003c\"", "<<\n"},
      {"\".\"", ".\n"},
      {"\"..\"", "..\n"},
      {"\"v1.2.3\"", "v1.2.3\n"},
      {"\"v\\u003c\\u0026\\u003e\"", "v<&>\n"},
      {"\"a\\\\b\"", "a\\b\n"},
      {"\"a\\\"b\"", "a\"b\n"},
      {"\"\\r\\n\"", "\"\\r\\n\"\n"},
  };
  check_writer(kCases);
}

TEST_CASE("yaml writer: layout, order of keys, numbers and folding", "[codec]") {
  static constexpr WriterCase kCases[] = {
      {"null", "null\n"},
      {"true", "true\n"},
      {"1", "1\n"},
      {"{}", "{}\n"},
      {"[]", "[]\n"},
      {"{\"a\":{},\"b\":[],\"c\":[{}],\"d\":[[]]}", "a: {}\nb: []\nc:\n- {}\nd:\n- []\n"},
      {"{\"b\":1,\"a\":[1,{\"c\":[2,3],\"d\":4}]}", "a:\n- 1\n- c:\n  - 2\n  - 3\n  d: 4\nb: 1\n"},
      {"[[1,2],[3,[4]],{\"a\":[5]}]", "- - 1\n  - 2\n- - 3\n  - - 4\n- a:\n  - 5\n"},
      {"[{\"a\":1,\"b\":{\"c\":2}},{\"a\":[{\"x\":1}]}]",
       "- a: 1\n  b:\n    c: 2\n- a:\n  - x: 1\n"},
      {"{\"a\":{\"b\":{\"c\":\"d\\ne\\n\"}},\"f\":[\"g\\nh\"]}",
       "a:\n  b:\n    c: |\n      d\n      e\nf:\n- |-\n  g\n  h\n"},
      {"{\"a10\":1,\"a9\":2,\"a\":3,\"9\":4,\"10\":5,\"_\":6,\"B\":7,\"b\":8,\"\u00e9\":9,\"a-b\":"
       "10,\"a.b\":11,\"a1\":13,\"Z\":15}",
       "_: 6\n\"9\": 4\n\"10\": 5\nB: 7\nZ: 15\na: 3\na-b: 10\na.b: 11\na1: 13\na9: 2\na10: 1\nb: "
       "8\n\u00e9: 9\n"},
      {"[1,-1,1.5,1e+21,1e-7,0.000001,100000,1000000,1500000.5,123456789.125,9223372036854775807,"
       "9223372036854776000,18446744073709552000,100000000000000000000]",
       "- 1\n- -1\n- 1.5\n- 1e+21\n- 1e-07\n- 1e-06\n- 100000\n- 1000000\n- 1.5000005e+06\n- "
       "1.23456789125e+08\n- 9223372036854775807\n- 9223372036854776000\n- "
       "1.8446744073709552e+19\n- 1e+20\n"},
      {"{\"description\":\"Name must be unique within a namespace. Is required when creating "
       "resources, although some resources may allow a client to request the generation of an "
       "appropriate name automatically.\",\"folded\":\"it's: Name must be unique within a "
       "namespace. Is required when creating resources, although some resources may allow a client "
       "to request the generation of an appropriate name automatically.\",\"double\":\"\\u0001Name "
       "must be unique within a namespace. Is required when creating resources, although some "
       "resources may allow a client to request the generation of an appropriate name "
       "automatically.\",\"words\":"
       "\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       "xxxxxxxxxxx a b c\"}",
       "description: Name must be unique within a namespace. Is required when creating "
       "resources,\n  although some resources may allow a client to request the generation of an "
       "appropriate\n  name automatically.\ndouble: \"\\x01Name must be unique within a namespace. "
       "Is required when creating resources,\n  although some resources may allow a client to "
       "request the generation of an appropriate\n  name automatically.\"\nfolded: 'it''s: Name "
       "must be unique within a namespace. Is required when creating\n  resources, although some "
       "resources may allow a client to request the generation\n  of an appropriate name "
       "automatically.'\nwords: "
       "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
       "xxxxxxxxx\n  a b c\n"},
      {"{\"kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
       "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk\":1,"
       "\"lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll"
       "llllllllllllllllllllllllllllllllllllllll\":2,\"a\\nb\":3}",
       "? |-\n  a\n  b\n: "
       "3\nkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk"
       "kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk: 1\n? "
       "lllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllllll"
       "llllllllllllllllllllllllllllllllllllll\n: 2\n"},
      {"{\"mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
       "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm\":[\"a\",{\"b\":\"c\"}],"
       "\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
       "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\":{\"x\":1,\"y\":2}}",
       "? "
       "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm"
       "mmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmmm\n: - a\n  - b: c\n? "
       "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"
       "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn\n: x: 1\n  \"y\": 2\n"},
      {"{\"on\":1,\"1\":2,\"\":3,\"a: b\":4,\"null\":5}",
       "\"\": 3\n\"1\": 2\n'a: b': 4\n\"null\": 5\n\"on\": 1\n"},
      {"\"a\\nb\"", "|-\n  a\n  b\n"},
      {"[\"Name must be unique within a namespace. Is required when creating resources, although "
       "some resources may allow a client to request the generation of an appropriate name "
       "automatically.\"]",
       "- Name must be unique within a namespace. Is required when creating resources, although\n  "
       "some resources may allow a client to request the generation of an appropriate name\n  "
       "automatically.\n"},
      {"{\"a\":\" Name must be unique within a namespace. Is required when creating resources, "
       "although some resources may allow a client to request the generation of an appropriate "
       "name automatically.\",\"b\":\"x  Name must be unique within a namespace. Is required when "
       "creating resources, although some resources may allow a client to request the generation "
       "of an appropriate name automatically. \"}",
       "a: ' Name must be unique within a namespace. Is required when creating resources,\n  "
       "although some resources may allow a client to request the generation of an appropriate\n  "
       "name automatically.'\nb: 'x  Name must be unique within a namespace. Is required when "
       "creating resources,\n  although some resources may allow a client to request the "
       "generation of an appropriate\n  name automatically. '\n"},
  };
  check_writer(kCases);
}

// As with the real server, the output cannot be read back.
TEST_CASE("yaml writer: a key of two less-than signs looks like a merge", "[codec]") {
  Arena arena;
  std::string yaml;
  REQUIRE(write_yaml(read_json(R"({"<<":[{"z":3}],"a":"<<"})", arena).value, yaml));
  CHECK(yaml == "<<:\n- z: 3\na: <<\n");
}

TEST_CASE("yaml writer: characters that YAML cannot hold are refused", "[codec]") {
  static constexpr std::string_view kTexts[] = {"\x7F", "\xC2\x80", "\xC2\x9F", "\uFFFE",
                                                "a\uFFFF"};
  for (const std::string_view text : kTexts) {
    Arena arena;
    std::string out;
    CHECK_FALSE(write_yaml(Value::string(text), out));
    Value object = Value::object(arena);
    object.append(arena, text, Value::null());
    CHECK_FALSE(write_yaml(object, out));
  }
}

TEST_CASE("yaml writer: a deep tree needs no deep stack", "[codec]") {
  Arena arena;
  Value value = Value::array(arena);
  for (int i = 0; i < 3000; ++i) {
    Value outer = Value::array(arena);
    outer.push_back(arena, value);
    value = outer;
  }
  std::string out;
  REQUIRE(write_yaml(value, out));
  CHECK(out == [] {
    std::string dashes;
    for (int i = 0; i < 3000; ++i) dashes += "- ";
    return dashes + "[]\n";
  }());
}

// Replaces placeholders, which represent values that are unquoted in YAML.
std::string without_placeholders(std::string text) {
  for (std::size_t i = text.find("{{"); i != std::string::npos; i = text.find("{{", i)) {
    text.replace(i, text.find("}}", i) + 2 - i, "x");
  }
  for (std::size_t i = text.find("\"x\""); i != std::string::npos; i = text.find("\"x\"", i)) {
    text.replace(i, 3, "\"1\"");
  }
  return text;
}

TEST_CASE("yaml writer: what the real server wrote is written the same again", "[codec]") {
  int found = 0;
  for (const std::string topic : {"content", "crd", "errors", "tables", "watch"}) {
    Arena arena;
    const Value file = tests::read_data("conformance/golden/" + topic + ".json", arena);
    for (const Value& scenario : file.find("scenarios")->items()) {
      for (const Value& step : scenario.find("steps")->items()) {
        const Value* body = step.at({"response", "body", "text"});
        const Value* type = step.at({"response", "headers", "content-type"});
        if (body == nullptr || type == nullptr || type->as_string() != "application/yaml") continue;
        const std::string yaml = without_placeholders(std::string(body->as_string()));
        const YamlRead read = read_yaml(yaml, arena);
        REQUIRE(read.error.empty());
        std::string again;
        REQUIRE(write_yaml(read.value, again));
        CHECK(again == yaml);
        ++found;
      }
    }
  }
  CHECK(found >= 8);
}

}  // namespace
}  // namespace tabernetes::codec

#include <catch2/catch_test_macros.hpp>
#include <span>
#include <string>
#include <vector>

#include "codec/json_writer.h"
#include "codec/yaml.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Value;

// A document and its JSON, or the error. Expectations are those of sigs.k8s.io/yaml 1.6, which
// kube-apiserver uses.
struct Case {
  std::string_view yaml, result;
};

std::string json_of(const Value& value) {
  std::string out;
  write_json(value, out);
  return out;
}

void check(std::span<const Case> cases) {
  for (const Case& c : cases) {
    CAPTURE(c.yaml);
    Arena arena;
    const YamlRead read = read_yaml(c.yaml, arena);
    CHECK((read.ok() ? json_of(read.value) : read.error) == c.result);
  }
}

TEST_CASE("yaml reader: scalars mean what YAML 1.1 says", "[codec]") {
  static constexpr Case kCases[] = {
      {"yes", "true"},
      {"Yes", "true"},
      {"YES", "true"},
      {"y", "true"},
      {"Y", "true"},
      {"on", "true"},
      {"On", "true"},
      {"ON", "true"},
      {"true", "true"},
      {"True", "true"},
      {"TRUE", "true"},
      {"no", "false"},
      {"No", "false"},
      {"NO", "false"},
      {"n", "false"},
      {"N", "false"},
      {"off", "false"},
      {"Off", "false"},
      {"OFF", "false"},
      {"false", "false"},
      {"False", "false"},
      {"FALSE", "false"},
      {"yEs", "\"yEs\""},
      {"tRUE", "\"tRUE\""},
      {"~", "null"},
      {"null", "null"},
      {"Null", "null"},
      {"NULL", "null"},
      {"nUll", "\"nUll\""},
      {"0777", "511"},
      {"0o777", "511"},
      {"08", "8"},
      {"0b11", "3"},
      {"0B11", "3"},
      {"0x1F", "31"},
      {"0X1f", "31"},
      {"1_000", "1000"},
      {"+1", "1"},
      {"-0", "0"},
      {"-1_0", "-10"},
      {"_1", "\"_1\""},
      {"-0x10", "-16"},
      {"0b-11", "-3"},
      {"-0b11", "-3"},
      {"0b12", "\"0b12\""},
      {"0", "0"},
      {"00", "0"},
      {"1e3", "1000"},
      {"1E+3", "1000"},
      {"1.0", "1"},
      {".5", "0.5"},
      {"-.5", "-0.5"},
      {"1.", "1"},
      {"1.e2", "100"},
      {"+1.5", "1.5"},
      {"0.1e-7", "1e-8"},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9223372036854776000"},
      {"18446744073709551615", "18446744073709552000"},
      {"18446744073709551616", "18446744073709552000"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"-9223372036854775809", "-9223372036854776000"},
      {"+9223372036854775808", "9223372036854776000"},
      {"1e20", "100000000000000000000"},
      {"1e21", "1e+21"},
      {"1e400", "\"1e400\""},
      {"1:30", "\"1:30\""},
      {"12:30:45", "\"12:30:45\""},
      {"190:20:30.15", "\"190:20:30.15\""},
      {"2001-01-01", "\"2001-01-01\""},
      {"2001-01-01T00:00:00Z", "\"2001-01-01T00:00:00Z\""},
      {"0x", "\"0x\""},
      {"0o8", "\"0o8\""},
      {"1.2.3", "\"1.2.3\""},
      {"1e", "\"1e\""},
      {".", "\".\""},
      {"-", "[null]"},
      {"+", "\"+\""},
      {"=", "\"=\""},
      {"<<", "\"\\u003c\\u003c\""},
      {".inf", "json: unsupported value: +Inf"},
      {"-.inf", "json: unsupported value: -Inf"},
      {"+.Inf", "json: unsupported value: +Inf"},
      {".nan", "json: unsupported value: NaN"},
      {".NaN", "json: unsupported value: NaN"},
      {"a: b", "{\"a\":\"b\"}"},
      {"'yes'", "\"yes\""},
      {"\"0777\"", "\"0777\""},
      {"!!str yes", "\"yes\""},
      {"!!str 1", "\"1\""},
      {"!!int '7'", "7"},
      {"!!float 1", "1"},
      {"!!float '1e3'", "1000"},
      {"!!bool 'on'", "true"},
      {"!!null ''", "null"},
      {"!!binary aGVsbG8=", "\"hello\""},
      {"!!binary /w==", "\"\xEF\xBF\xBD\""},
      {"!!int x", "yaml: cannot decode !!str `x` as a !!int"},
      {"!!float yes", "yaml: cannot decode !!bool `yes` as a !!float"},
      {"!!bool 1", "yaml: cannot decode !!int `1` as a !!bool"},
      {"!!timestamp 2001-01-01", "\"2001-01-01\""},
      {"!!timestamp x", "yaml: cannot decode !!str `x` as a !!timestamp"},
      {"!!binary a", "yaml: !!binary value contains invalid base64 data"},
      {"!foo 12", "\"12\""},
      {"! 12", "\"12\""},
      {"! '12'", "\"12\""},
      {"!!set {a, b}", "{\"a\":null,\"b\":null}"},
  };
  check(kCases);
}

TEST_CASE("yaml reader: keys become text", "[codec]") {
  static constexpr Case kCases[] = {
      {"1: a", "{\"1\":\"a\"}"},
      {"1.5: a", "{\"1.5\":\"a\"}"},
      {"true: a", "{\"true\":\"a\"}"},
      {"no: a", "{\"false\":\"a\"}"},
      {"1e3: a", "{\"1000\":\"a\"}"},
      {"~: 1", "unsupported map key of type: %!s(<nil>), key: <nil>, value: 1"},
      {"? : x", "yaml: did not find expected key"},
      {"null: {a: [~, 1.5]}",
       "unsupported map key of type: %!s(<nil>), key: <nil>, value: map[interface {}]interface "
       "{}{\"a\":[]interface {}{interface {}(nil), 1.5}}"},
      {"[a]: b", "yaml: invalid map key: []interface {}{\"a\"}"},
      {"? {a: 1}\n: b", "yaml: invalid map key: map[interface {}]interface {}{\"a\":1}"},
      {"? [a, ~, {b: yes}]\n: c",
       "yaml: invalid map key: []interface {}{\"a\", interface {}(nil), map[interface {}]interface "
       "{}{\"b\":true}}"},
      {"18446744073709551615: 1",
       "unsupported map key of type: uint64, key: 0xffffffffffffffff, value: 1"},
      {".inf: 1", "{\".inf\":1}"},
      {"'~': 1", "{\"~\":1}"},
      {"2001-01-01: x", "{\"2001-01-01\":\"x\"}"},
  };
  check(kCases);
}

TEST_CASE("yaml reader: anchors, aliases and merge keys", "[codec]") {
  static constexpr Case kCases[] = {
      {"a: &a {x: 1}\nb:\n  <<: *a\n  y: 2", "{\"a\":{\"x\":1},\"b\":{\"true\":2,\"x\":1}}"},
      {"b: {x: 1, <<: {x: 2}}", "{\"b\":{\"x\":2}}"},
      {"b: {<<: {x: 2}, x: 1}", "{\"b\":{\"x\":1}}"},
      {"b: {<<: [{x: 1}, {x: 2, y: 3}]}", "{\"b\":{\"true\":3,\"x\":1}}"},
      {"b: &b {x: 1}\n!- <<: [*b]", "{\"\\u003c\\u003c\":[{\"x\":1}],\"b\":{\"x\":1}}"},
      {"! <<: {a: b}", "{\"a\":\"b\"}"},
      {"b: {<<: 1}", "yaml: map merge requires map or sequence of maps as the value"},
      {"b: {<<: [1]}", "yaml: map merge requires map or sequence of maps as the value"},
      {"a: &a [1]\nb: {<<: *a}", "yaml: map merge requires map or sequence of maps as the value"},
      {"b: {'<<': {x: 1}}", "{\"b\":{\"\\u003c\\u003c\":{\"x\":1}}}"},
      {"b: {!!merge <<: {x: 1}}", "{\"b\":{\"x\":1}}"},
      {"x: &a 1\ny: *a\nz: [*a, *a]", "{\"true\":1,\"x\":1,\"z\":[1,1]}"},
      {"x: *b", "yaml: unknown anchor 'b' referenced"},
      {"x: &a [*a]", "yaml: anchor 'a' value contains itself"},
      {"a: &a 1\nb: &a 2\nc: *a", "{\"a\":1,\"b\":2,\"c\":2}"},
      {"- &a {k: v}\n- *a", "[{\"k\":\"v\"},{\"k\":\"v\"}]"},
  };
  check(kCases);
}

TEST_CASE("yaml reader: faults get the real server's words", "[codec]") {
  static constexpr Case kCases[] = {
      {"a: b: c", "yaml: mapping values are not allowed in this context"},
      {"\tx: 1\n", "yaml: found character that cannot start any token"},
      {"x: 1\n\ty: 2", "yaml: line 2: found a tab character that violates indentation"},
      {"a:\n  b: 1\n c: 2", "yaml: line 2: did not find expected key"},
      {"[", "yaml: line 1: did not find expected node content"},
      {"{a", "yaml: line 1: did not find expected ',' or '}'"},
      {"- a\nb", "yaml: line 3: could not find expected ':'"},
      {"'x", "yaml: found unexpected end of stream"},
      {"\"\\q\"", "yaml: found unknown escape character"},
      {"a: |\n x\n  y\nz", "yaml: line 5: could not find expected ':'"},
      {"%YAML 1.2\n---\na", "yaml: found incompatible YAML document"},
      {"%YAML 1.1\n---\na", "\"a\""},
      {"\n\n%YAML 1.2\n--- a", "yaml: line 2: found incompatible YAML document"},
      {": bad", "yaml: did not find expected key"},
      {"a: @b", "yaml: found character that cannot start any token"},
      {"a: `b", "yaml: found character that cannot start any token"},
      {"a: %b", "yaml: found character that cannot start any token"},
      {"a\x01"
       "b",
       "yaml: control characters are not allowed"},
      {"\xff", "yaml: invalid leading UTF-8 octet"},
      {"a: \x7f", "yaml: control characters are not allowed"},
      {"*a", "yaml: unknown anchor 'a' referenced"},
      {"&a", "null"},
      {"!!x", "\"\""},
      {"a: [1, 2", "yaml: line 1: did not find expected ',' or ']'"},
      {"a: {b: c\nd: e", "yaml: line 1: did not find expected ',' or '}'"},
      {"key: [\n1,\n2\n", "yaml: line 3: did not find expected ',' or ']'"},
      {"? a\nb", "yaml: line 3: could not find expected ':'"},
      {"a: 'b\n\n", "yaml: line 3: found unexpected end of stream"},
      {"- - a\n - b", "yaml: line 1: did not find expected '-' indicator"},
      {"--- a\n... b", "\"a\""},
      {"a: b\n%c", "yaml: line 2: found unknown directive name"},
      {"\"a\" b", "\"a\""},
      {"a: &x &y 1", "yaml: did not find expected key"},
      {"x: !<tag:foo 1", "yaml: did not find the expected '>'"},
      {"...", "yaml: did not find expected node content"},
      {"---", "null"},
      {"--- ---", "\"---\""},
      {"# only a comment", "null"},
      {" ", "null"},
      {"a: b\n---\nc: [", "{\"a\":\"b\"}"},
      {"null", "null"},
      {"[]", "[]"},
      {"a\xc3", "yaml: incomplete UTF-8 octet sequence"},
      {"{a: b}}", "{\"a\":\"b\"}"},
      {"]", "yaml: did not find expected node content"},
      {"a: - b", "yaml: block sequence entries are not allowed in this context"},
  };
  check(kCases);
}

TEST_CASE("yaml reader: styles of writing", "[codec]") {
  static constexpr Case kCases[] = {
      {"a: |\n  two\n  lines\n", "{\"a\":\"two\\nlines\\n\"}"},
      {"a: >-\n  one\n  line\n\n  para", "{\"a\":\"one line\\npara\"}"},
      {"a: |+\n  x\n\n", "{\"a\":\"x\\n\\n\"}"},
      {"a: |2-\n    x\n   y", "{\"a\":\"  x\\n y\"}"},
      {"'it''s'", "\"it's\""},
      {"\"\\x41\\u00e9\\U0001F600\\n\\t\\\"\\\\\\0\\e\\N\\_\\L\\P\"",
       "\"A\xC3\xA9\U0001F600\\n\\t\\\"\\\\\\u0000\\u001b\xC2\x85\xC2\xA0\\u2028\\u2029\""},
      {"a b\n c\n\n d", "\"a b c\\nd\""},
      {"\"a\n  b\\\n  c\\\n  \\  d\"", "\"a bc  d\""},
      {"{a: b, c: [d, {e: f}]}", "{\"a\":\"b\",\"c\":[\"d\",{\"e\":\"f\"}]}"},
      {"- a\n- - b\n  - c\n-\n  d: e", "[\"a\",[\"b\",\"c\"],{\"d\":\"e\"}]"},
      {"? a\n: b\n? c", "{\"a\":\"b\",\"c\":null}"},
      {"a:\n- b\n- c", "{\"a\":[\"b\",\"c\"]}"},
      {"{\"a\":1,\"b\":[true,null,\"x\"]}", "{\"a\":1,\"b\":[true,null,\"x\"]}"},
      {"{\"a\":\"\\ud83d\"}", "yaml: found invalid Unicode character escape code"},
      {"a: b # c\n# d\ne: f", "{\"a\":\"b\",\"e\":\"f\"}"},
      {"a:\r\n  b\r\nc: d\r\n", "{\"a\":\"b\",\"c\":\"d\"}"},
      {"\ufeffa: b", "{\"a\":\"b\"}"},
      {"b: 1\na: 2\nc: {z: 1, y: 2}", "{\"a\":2,\"b\":1,\"c\":{\"true\":2,\"z\":1}}"},
      {"a: \u00e9\u2603", "{\"a\":\"é☃\"}"},
      {"a: x\u2028y", "yaml: line 3: could not find expected ':'"},
      {"a: \"\ufffd\xC2\x85\"", "{\"a\":\"� \"}"},
  };
  check(kCases);
}

TEST_CASE("yaml reader: a key that stands twice is reported and the last one counts", "[codec]") {
  struct Double {
    std::string_view yaml, json;
    std::vector<std::string> duplicates;
  };
  const Double kCases[] = {
      {"metadata: {name: y6}\nmetadata: {name: y7}\n",
       "{\"metadata\":{\"name\":\"y7\"}}",
       {"line 2: key \"metadata\" already set in map"}},
      {"a: 1\nb: 2\na: 3\nb:\n  c: 1\n  c: 2\n",
       "{\"a\":3,\"b\":{\"c\":2}}",
       {"line 3: key \"a\" already set in map", "line 6: key \"c\" already set in map",
        "line 5: key \"b\" already set in map"}},
      {"1: a\n0x1: b\n\"1\": c", "{\"1\":\"c\"}", {"line 2: key 1 already set in map"}},
      {"yes: 1\ntrue: 2\nno: 3",
       "{\"false\":3,\"true\":2}",
       {"line 2: key true already set in map"}},
      {"1.5: 1\n1.50: 2", "{\"1.5\":2}", {"line 2: key 1.5 already set in map"}},
      {"a: &x {k: 1}\nb:\n  k: 0\n  <<: *x",
       "{\"a\":{\"k\":1},\"b\":{\"k\":1}}",
       {"line 1: key \"k\" already set in map"}},
      {"a: {k: 1, k: 2}\nb: [{k: 1,\n k: 2}]",
       "{\"a\":{\"k\":2},\"b\":[{\"k\":2}]}",
       {"line 1: key \"k\" already set in map", "line 3: key \"k\" already set in map"}},
      {"a: &v 1\na: *v", "{\"a\":1}", {"line 2: key \"a\" already set in map"}},
      {"a:\n- x\na:\n  b: 1\n  b: 2\n",
       "{\"a\":{\"b\":2}}",
       {"line 5: key \"b\" already set in map", "line 4: key \"a\" already set in map"}},
  };
  for (const Double& c : kCases) {
    CAPTURE(c.yaml);
    Arena arena;
    const YamlRead read = read_yaml(c.yaml, arena);
    CHECK(read.error.empty());
    CHECK(json_of(read.value) == c.json);
    CHECK(read.duplicates == c.duplicates);
  }
}

TEST_CASE("yaml reader: a document that is mostly aliases is refused", "[codec]") {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    const std::string n = std::to_string(i), previous = "*a" + std::to_string(i - 1);
    text += "a" + n + ": &a" + n + " [" + previous;
    for (int k = 1; k < 10; ++k) text += ", " + previous;
    text += "]\n";
  }
  Arena arena;
  CHECK(read_yaml(text, arena).error == "yaml: document contains excessive aliasing");
}

TEST_CASE("yaml reader: aliases may not repeat too much text", "[codec]") {
  const auto repeated = [](int times) {
    std::string text = "- &a " + std::string(1 << 20, 'x') + "\n";
    for (int i = 0; i < times; ++i) text += "- *a\n";
    Arena arena;
    return read_yaml(text, arena).error;
  };
  CHECK(repeated(64).empty());
  CHECK(repeated(65) == "yaml: document contains excessive aliasing");
}

TEST_CASE("yaml reader: nesting has a limit and takes no stack", "[codec]") {
  const auto repeat = [](std::string_view text, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += text;
    return out;
  };
  Arena arena;
  CHECK(read_yaml(repeat("[", 5000) + repeat("]", 5000), arena).error.empty());
  CHECK(read_yaml(repeat("[", 20000) + repeat("]", 20000), arena).error ==
        "yaml: exceeded max depth of 10000");
  CHECK(read_yaml(repeat("- ", 20000) + "x", arena).error == "yaml: exceeded max depth of 10000");
  CHECK(read_yaml("a: b\nc:\n" + repeat("- ", 20000) + "x", arena).error ==
        "yaml: line 3: exceeded max depth of 10000");
}

TEST_CASE("yaml reader: maps may be as deep as lists", "[codec]") {
  std::string text;
  for (int i = 0; i < 10000; ++i) text += "{a: ";
  text += "x" + std::string(10000, '}');
  Arena arena;
  CHECK(read_yaml(text, arena).error.empty());
  CHECK(read_yaml("{a: " + text + "}", arena).error == "yaml: exceeded max depth of 10000");
}

TEST_CASE("yaml reader: a text made to be slow is refused before long", "[codec]") {
  std::string text(9000, '[');
  while (text.size() < 3 * 1024 * 1024) text += "1,";
  Arena arena;
  CHECK(read_yaml(text, arena).error == "yaml: exceeded max depth of 10000");
}

TEST_CASE("yaml reader: the documents of a stream", "[codec]") {
  struct Stream {
    std::string_view text;
    std::vector<std::string> documents;
    std::string error;
    std::size_t failed_document;
  };
  const Stream kCases[] = {
      {"", {}, "", 0},
      {"# nothing\n---\n", {}, "", 0},
      {"a: 1\n---\nb: 2\n---\n---\n# no\n--- null\n---\nc: 3\n...\n",
       {R"({"a":1})", R"({"b":2})", R"({"c":3})"},
       "",
       0},
      {R"({"a":1}{"b":"}"}  {"c":[{}]})", {R"({"a":1})", R"({"b":"}"})", R"({"c":[{}]})"}, "", 0},
      {"{a: 1}\n---\n{\"b\": 2}", {R"({"a":1})", R"({"b":2})"}, "", 0},
      {"a: 1\n---\nb: c: d\n---\ne: 1",
       {R"({"a":1})"},
       "yaml: line 3: mapping values are not allowed in this context",
       2},
      {"a: 1\n---\nb: *x\n", {R"({"a":1})"}, "yaml: unknown anchor 'x' referenced", 2}};
  for (const Stream& c : kCases) {
    CAPTURE(c.text);
    Arena arena;
    const YamlDocuments read = read_yaml_documents(c.text, arena);
    std::vector<std::string> documents;
    for (const Value& document : read.documents) documents.push_back(json_of(document));
    CHECK(documents == c.documents);
    CHECK(read.error == c.error);
    CHECK(read.failed_document == c.failed_document);
  }
}

}  // namespace
}  // namespace tabernetes::codec

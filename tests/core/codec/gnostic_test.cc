#include "codec/gnostic.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../vectors.h"
#include "codec/json_reader.h"
#include "codec/yaml_go3.h"

namespace tabernetes::codec {
namespace {

std::string hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

TEST_CASE("gnostic: documents have the bytes of gnostic-models", "[codec]") {
  const tests::Vectors vectors("codec/vectors/gnostic.json");
  for (const json::Value& example : vectors.cases()) {
    const std::string_view text = example.string_at("json");
    INFO(example.string_at("version"));
    const std::string bytes =
        example.string_at("version") == "v2" ? gnostic_v2(text) : gnostic_v3(text);
    CHECK(hex(bytes) == example.string_at("protobuf"));
  }
}

TEST_CASE("gnostic: a long document taken apart gives what a short one does", "[codec]") {
  // Beyond 64 KiB the paths are read one by one.
  std::string paths;
  std::string expected;
  for (int i = 0; paths.size() < 200'000; ++i) {
    const std::string name = "/path-" + std::to_string(i) + R"(/{n\"}[)";
    const std::string id = "id" + std::to_string(i) + std::string(1000, 'x');
    if (i > 0) paths += ',';
    paths += "\"" + name + R"(":{"get":{"operationId":")" + id + R"("}})";
    const std::string one =
        R"({"paths":{")" + name + R"(":{"get":{"operationId":")" + id + "\"}}}}";
    // after the tag and the length of `paths`
    expected += gnostic_v3(one).substr(3);
  }
  const std::string whole = gnostic_v3(R"({"paths":{)" + paths + "}}");
  REQUIRE(whole.size() > expected.size());
  CHECK(whole.substr(whole.size() - expected.size()) == expected);
}

TEST_CASE("yaml of go-yaml v3: layout and quotes", "[codec]") {
  struct Case {
    const char* json;
    const char* yaml;
  };
  static constexpr Case kCases[] = {
      {R"("a")", "a\n"},
      {R"("true")", "\"true\"\n"},
      {R"("yes")", "yes\n"},
      {R"("")", "\"\"\n"},
      {R"("1.5")", "\"1.5\"\n"},
      {"1e3", "1e3\n"},
      {"null", "null\n"},
      {"{}", "{}\n"},
      {R"(["a","b"])", "- a\n- b\n"},
      {R"({"k":["a"],"l":{"m":1}})", "k:\n    - a\nl:\n    m: 1\n"},
      {R"([{"k":{"l":["a"]},"m":[]}])", "- k:\n    l:\n        - a\n  m: []\n"},
  };
  for (const Case& c : kCases) {
    json::Arena arena;
    CHECK(yaml_go3_text(read_json(c.json, arena).value) == c.yaml);
  }
}

}  // namespace
}  // namespace tabernetes::codec

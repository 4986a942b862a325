#include "codec/openapi_texts.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

namespace tabernetes::codec {
namespace {

TEST_CASE("openapi texts: what is said of types, fields and parameters", "[codec]") {
  const auto texts = read_openapi_texts(
      R"({"format":1,"kubernetes":"1.36","texts":["a kind","a\nfield","a parameter"],)"
      R"("types":{"Pod":{"":0,"spec":1},"List":{"items":1}},"parameters":{"watch-X":2}})",
      "1.36");
  REQUIRE(texts);
  CHECK(!texts->empty());
  CHECK(texts->of_type("Pod") == "a kind");
  CHECK(texts->of_field("Pod", "spec") == "a\nfield");
  CHECK(texts->of_field("Pod", "status").empty());
  CHECK(texts->of_type("List").empty());
  CHECK(texts->of_field("List", "items") == "a\nfield");
  CHECK(texts->of_type("Node").empty());
  CHECK(texts->of_parameter("watch-X") == "a parameter");
  CHECK(texts->of_parameter("watch").empty());
}

TEST_CASE("openapi texts: without a file nothing is said", "[codec]") {
  const schema::openapi::Descriptions none;
  CHECK(none.empty());
  CHECK(none.of_type("Pod").empty());
  CHECK(none.of_field("Pod", "spec").empty());
  CHECK(none.of_parameter("watch").empty());
}

TEST_CASE("openapi texts: a damaged file is refused", "[codec]") {
  struct Case {
    std::string_view file, fault;
  };
  static constexpr std::string_view kNoForm = "it does not have the form of such a file";
  static constexpr Case kCases[] = {
      {"", "it is no JSON: unexpected end of JSON input"},
      {R"({"format":1,)", "it is no JSON: unexpected end of JSON input"},
      {"\x1f\x8b\x08", "it is no JSON: invalid character '\\x1f' looking for beginning of value"},
      {"[]", "it has another format"},
      {R"({"format":"1","kubernetes":"1.36"})", "it has another format"},
      {R"({"format":2,"kubernetes":"1.36"})", "it has another format"},
      {R"({"format":1,"kubernetes":"1.35"})", "it is of Kubernetes 1.35, not of 1.36"},
      {R"({"format":1})", "it is of Kubernetes , not of 1.36"},
      {R"({"format":1,"kubernetes":"1.36"})", kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":{},"types":{},"parameters":{}})", kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a",1],"types":{},"parameters":{}})", kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"parameters":{}})", kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"types":{}})", kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"types":[],"parameters":{}})", kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"types":{"X":0},"parameters":{}})",
       kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"types":{"X":{"":1}},"parameters":{}})",
       kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"types":{"X":{"":-1}},"parameters":{}})",
       kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"types":{"X":{"":0.5}},"parameters":{}})",
       kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"types":{},"parameters":{"x":"a"}})",
       kNoForm},
      {R"({"format":1,"kubernetes":"1.36","texts":["a"],"types":{},"parameters":{"x":9e99}})",
       kNoForm},
  };
  for (const Case& c : kCases) {
    INFO(c.file);
    const auto read = read_openapi_texts(c.file, "1.36");
    REQUIRE(!read);
    CHECK(read.error() == c.fault);
  }
}

}  // namespace
}  // namespace tabernetes::codec

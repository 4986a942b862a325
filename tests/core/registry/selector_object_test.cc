#include "registry/selectors/selector_object.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"

namespace tabernetes::registry {
namespace {

TEST_CASE("selector objects: print sorted by key, values in order; invalid ones do not print",
          "[registry]") {
  struct Case {
    std::string_view selector;
    std::optional<std::string> text;
  };
  const Case cases[] = {
      {"{}", ""},
      {R"({"matchLabels":{"b":"2","a":"1"}})", "a=1,b=2"},
      {R"({"matchLabels":{"x":""}})", "x="},
      {R"({"matchLabels":{"b":"1"},"matchExpressions":[{"key":"a","operator":"In","values":["y","x"]}]})",
       "a in (x,y),b=1"},
      {R"({"matchExpressions":[{"key":"k","operator":"NotIn","values":["v"]}]})", "k notin (v)"},
      {R"({"matchExpressions":[{"key":"k","operator":"Exists"}]})", "k"},
      {R"({"matchExpressions":[{"key":"k","operator":"DoesNotExist"}]})", "!k"},
      {R"({"matchExpressions":[{"key":"k","operator":"In"}]})", std::nullopt},
      {R"({"matchExpressions":[{"key":"k","operator":"Exists","values":["v"]}]})", std::nullopt},
      {R"({"matchExpressions":[{"key":"k","operator":"Gt","values":["1"]}]})", std::nullopt},
      {R"({"matchLabels":{"-":"v"}})", std::nullopt},
      {R"({"matchLabels":{"k":"a b"}})", std::nullopt},
  };
  for (const Case& c : cases) {
    CAPTURE(c.selector);
    json::Arena arena;
    const json::Value selector = codec::read_json(c.selector, arena).value;
    CHECK(format_label_selector(&selector) == c.text);
    const std::optional<LabelSelector> read = read_label_selector(selector);
    REQUIRE(read.has_value() == c.text.has_value());
    if (read) CHECK(read->to_string() == *c.text);
  }
  CHECK(format_label_selector(nullptr) == "");
}

TEST_CASE("selector objects: labels print sorted by their texts", "[registry]") {
  json::Arena arena;
  const json::Value labels = codec::read_json(R"({"b":"1","a.b":"2","a":"3"})", arena).value;
  CHECK(format_labels(&labels) == "a.b=2,a=3,b=1");
  CHECK(format_labels(nullptr) == "");
}

}  // namespace
}  // namespace tabernetes::registry

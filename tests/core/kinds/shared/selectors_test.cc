#include "kinds/shared/selectors.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "codec/json_reader.h"

namespace tabernetes::registry::kinds {
namespace {

struct Pair {
  json::Arena arena;
  field::ErrorList errors;
  json::Value selector, labels;

  Pair(std::string_view selector_text, std::string_view labels_text)
      : selector(codec::read_json(selector_text, arena).value),
        labels(codec::read_json(labels_text, arena).value) {}
  bool selects() { return kinds::selects(Field(selector, errors), Field(labels, errors)); }
  bool selects_by_map() {
    return kinds::selects_by_map(Field(selector, errors), Field(labels, errors));
  }
};

TEST_CASE("selectors: all labels and expressions must match", "[registry]") {
  struct Case {
    std::string_view selector, labels;
    bool selects;
  };
  static constexpr Case kCases[] = {
      {R"({"matchLabels":{"a":"1"}})", R"({"a":"1","b":"2"})", true},
      {R"({"matchLabels":{"a":"1"}})", R"({"a":"2"})", false},
      {R"({"matchLabels":{"a":"1"}})", "{}", false},
      {"{}", "{}", true},
      {"{}", R"({"a":"1"})", true},
      {R"({"matchExpressions":[{"key":"a","operator":"In","values":["1","2"]}]})", R"({"a":"2"})",
       true},
      {R"({"matchExpressions":[{"key":"a","operator":"In","values":["1"]}]})", R"({"a":"2"})",
       false},
      {R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["1"]}]})", "{}", true},
      {R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["1"]}]})", R"({"a":"1"})",
       false},
      {R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})", R"({"a":""})", true},
      {R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})", R"({"b":""})", false},
      {R"({"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]})", R"({"b":""})", true},
      {R"({"matchExpressions":[{"key":"a","operator":"DoesNotExist"}]})", R"({"a":""})", false},
      {R"({"matchLabels":{"a":"1"},"matchExpressions":[{"key":"b","operator":"Exists"}]})",
       R"({"a":"1"})", false},
  };
  for (const Case& c : kCases) {
    INFO(c.selector << " of " << c.labels);
    CHECK(Pair(c.selector, c.labels).selects() == c.selects);
  }
}

TEST_CASE("selectors: a map as selector", "[registry]") {
  CHECK(Pair(R"({"a":"1"})", R"({"a":"1","b":"2"})").selects_by_map());
  CHECK_FALSE(Pair(R"({"a":"1"})", R"({"b":"1"})").selects_by_map());
  CHECK_FALSE(Pair(R"({"a":"1","b":"2"})", R"({"a":"1"})").selects_by_map());
}

TEST_CASE("selectors: errors in the real server's order", "[registry]") {
  json::Arena arena;
  field::ErrorList errors;
  const json::Value value =
      codec::read_json(
          R"({"selector":{"matchExpressions":[)"
          R"({"key":"a","operator":"In"},{"key":"a","operator":"Exists","values":[""]},)"
          R"({"key":"a","operator":"Like"},{"key":"-","operator":"Exists"}]}})",
          arena)
          .value;
  const Field object(value, errors);
  CHECK_FALSE(validate_label_selector(object["selector"]));
  REQUIRE(errors.size() == 4);
  const auto text = [&](std::size_t i) { return errors[i].field + ": " + errors[i].message; };
  CHECK(text(0) ==
        "selector.matchExpressions[0].values: Required value: must be specified when `operator` is "
        "'In' or 'NotIn'");
  CHECK(text(1) ==
        "selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is "
        "'Exists' or 'DoesNotExist'");
  CHECK(text(2) ==
        "selector.matchExpressions[2].operator: Invalid value: \"Like\": not a valid selector "
        "operator");
  CHECK(errors[3].field == "selector.matchExpressions[3].key");
}

}  // namespace
}  // namespace tabernetes::registry::kinds

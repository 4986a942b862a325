// Compares label and field selectors with the results of upstream's parsers for the same texts.
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "../vectors.h"
#include "registry/selectors/field_selector.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::registry {
namespace {

using json::Value;
using tests::Vectors;

using LabelList = std::vector<std::pair<std::string_view, std::string_view>>;

std::vector<LabelList> label_lists(const Value& root) {
  std::vector<LabelList> lists;
  for (const Value& object : root.find("labels")->items()) {
    LabelList labels;
    for (const json::Member& member : object.members()) {
      labels.emplace_back(member.key, member.value.as_string());
    }
    lists.push_back(std::move(labels));
  }
  return lists;
}

std::vector<std::int64_t> selected(const LabelSelector& selector,
                                   const std::vector<LabelList>& lists) {
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (selector.matches(lists[i])) numbers.push_back(static_cast<std::int64_t>(i));
  }
  return numbers;
}

std::vector<std::int64_t> numbers(const Value& list) {
  std::vector<std::int64_t> values;
  for (const Value& item : list.items()) values.push_back(item.as_int());
  return values;
}

TEST_CASE("label_selector: upstream's parser and ours agree", "[registry]") {
  const Vectors vectors("registry/vectors/label_selectors.json");
  const std::vector<LabelList> lists = label_lists(vectors.root());
  for (const Value& each : vectors.cases()) {
    INFO(tests::name_of(each.string_at("text")));
    const auto selector = parse_label_selector(each.string_at("text"));
    if (each.find("error") != nullptr) {
      REQUIRE_FALSE(selector);
      CHECK(selector.error().message == each.string_at("error"));
      CHECK(selector.error().code == 400);
    } else {
      REQUIRE(selector);
      CHECK(selector->to_string() == each.string_at("canonical"));
      CHECK(selected(*selector, lists) == numbers(*each.find("selects")));
    }
  }
}

TEST_CASE("field_selector: upstream's parser and ours agree", "[registry]") {
  const Vectors vectors("registry/vectors/field_selectors.json");
  for (const Value& each : vectors.cases()) {
    INFO(tests::name_of(each.string_at("text")));
    const auto selector = parse_field_selector(each.string_at("text"));
    if (each.find("error") != nullptr) {
      REQUIRE_FALSE(selector);
      CHECK(selector.error().message == each.string_at("error"));
      CHECK(selector.error().code == 400);
    } else {
      REQUIRE(selector);
      CHECK(selector->to_string() == each.string_at("canonical"));
    }
  }
}

}  // namespace
}  // namespace tabernetes::registry

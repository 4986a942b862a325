#include "registry/selectors/label_bloom.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"
#include "registry/objects/object_record.h"
#include "registry/selectors/label_selector.h"

namespace tabernetes::registry {
namespace {

using LabelMap = std::map<std::string, std::string>;

store::RecordPtr record_of(const LabelMap& labels) {
  json::Arena arena;
  json::Value members = json::Value::object(arena);
  for (const auto& [key, value] : labels) members.append(arena, key, json::Value::string(value));
  json::Value metadata = json::Value::object(arena);
  metadata.append(arena, "name", json::Value::string("a"));
  if (!labels.empty()) metadata.append(arena, "labels", members);
  json::Value object = json::Value::object(arena);
  object.append(arena, "metadata", metadata);
  return make_record(encode_object(object, VersionMember::kPresent), 7);
}

LabelBloom marks_of(const LabelMap& labels) { return offsets_of(*record_of(labels)).label_bloom; }

LabelSelector selector_of(std::string_view text) {
  const auto selector = parse_label_selector(text);
  REQUIRE(selector);
  return *selector;
}

// Draws from few keys and values, so that selectors often match.
class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}

  unsigned below(unsigned end) { return static_cast<unsigned>(engine_() % end); }
  std::string key() { return "k" + std::to_string(below(12)); }
  std::string value() { return below(6) == 0 ? std::string() : std::to_string(below(8)); }

  LabelMap labels() {
    LabelMap labels;
    for (unsigned left = below(9); left > 0; --left) labels[key()] = value();
    return labels;
  }

  std::string requirement() {
    static constexpr std::string_view kBetween[] = {"=", "==", "!=", " in (", " notin ("};
    const unsigned form = below(9);
    if (form == 0) return key();
    if (form == 1) return "!" + key();
    if (form == 2) return key() + ">" + std::to_string(below(8));
    if (form == 3) return key() + "<" + std::to_string(below(8));
    std::string text = key().append(kBetween[form - 4]).append(value());
    if (form < 7) return text;
    for (unsigned left = below(3); left > 0; --left) text += "," + value();
    return text + ")";
  }

  std::string selector() {
    std::string text = requirement();
    for (unsigned left = below(3); left > 0; --left) text += "," + requirement();
    return text;
  }

 private:
  std::mt19937 engine_;
};

TEST_CASE("label marks: never reject matching labels", "[registry]") {
  Draw draw(20);
  std::vector<LabelMap> all;
  std::vector<store::RecordPtr> records;
  for (int i = 0; i < 300; ++i) {
    all.push_back(draw.labels());
    records.push_back(record_of(all.back()));
  }
  int matched = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string text = draw.selector();
    const LabelSelector selector = selector_of(text);
    for (std::size_t at = 0; at < all.size(); ++at) {
      const std::vector<std::pair<std::string_view, std::string_view>> labels(all[at].begin(),
                                                                              all[at].end());
      const bool matches = selector.matches(labels);
      const bool with_marks =
          selector.may_match(offsets_of(*records[at]).label_bloom) &&
          selector.matches_by([&](std::string_view key) { return label_of(*records[at], key); });
      if (matches != with_marks) FAIL_CHECK("labels " << at << ", selector " << text);
      matched += matches ? 1 : 0;
    }
  }
  CHECK(matched > 10'000);
  CHECK(matched < 290'000);
}

TEST_CASE("label marks: reject most labels that do not match", "[registry]") {
  const LabelMap labels = {
      {"app", "shop"}, {"tier", "web"}, {"shard", "s7"}, {"team", "blue"}, {"pod-hash", "5d8f"}};
  const LabelBloom marks = marks_of(labels);
  CHECK(selector_of("app=shop,shard in (s1,s7),tier,!old,team!=red").may_match(marks));
  int values = 0, keys = 0, lists = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string other = "x" + std::to_string(i);
    values += selector_of("shard=" + other).may_match(marks) ? 0 : 1;
    keys += selector_of("shard=s7," + other).may_match(marks) ? 0 : 1;
    lists += selector_of("app in (" + other + ",y" + other + ")").may_match(marks) ? 0 : 1;
  }
  CHECK(values > 850);
  CHECK(keys > 850);
  CHECK(lists > 750);
}

TEST_CASE("label marks: no labels, no marks", "[registry]") {
  CHECK(marks_of({}) == 0);
  CHECK_FALSE(selector_of("a").may_match(0));
  CHECK_FALSE(selector_of("a=").may_match(0));
  CHECK_FALSE(selector_of("a in ()").may_match(0));
  CHECK_FALSE(selector_of("a>1").may_match(0));
  CHECK_FALSE(selector_of("a<1").may_match(0));
  CHECK(selector_of("!a,b!=c,d notin (e)").may_match(0));
  CHECK(LabelSelector().may_match(0));
}

}  // namespace
}  // namespace tabernetes::registry

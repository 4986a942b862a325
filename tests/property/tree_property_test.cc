// Compares a large tree with a std::map through phases of growth and decline: enough records for
// splits and merges everywhere in leaves and inner nodes. Copies taken on the way must not change.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <vector>

#include "base/numbers/entropy.h"
#include "store/tree.h"

namespace tabernetes::store {
namespace {

using TreeModel = std::map<std::string, RecordPtr>;

std::string key_of(std::uint64_t n) {
  std::string digits = std::to_string(n);
  return std::string(6 - digits.size(), '0') + digits;
}

void check_same(const Tree& tree, const TreeModel& model) {
  REQUIRE(tree.size() == model.size());
  auto expected = model.begin();
  std::size_t wrong = 0;
  tree.scan({}, {}, [&](std::string_view key, const RecordPtr& record) {
    if (expected == model.end() || key != expected->first || record != expected->second) {
      ++wrong;
      return false;
    }
    ++expected;
    return true;
  });
  REQUIRE(wrong == 0);
  REQUIRE(expected == model.end());
}

struct Phase {
  const char* name;
  int operations;
  std::uint64_t puts;         // per 100 steps
  std::uint64_t first, span;  // range of keys: [first, first + span)
  bool in_order;
};

class Pair {
 public:
  void put(const std::string& key) {
    auto record = std::make_shared<Record>();
    record->key = key;
    record->bytes.resize(puts_++ % 9);
    tree_.put(record);
    model_[key] = std::move(record);
  }
  void erase(const std::string& key) {
    if (tree_.erase(key) != (model_.erase(key) == 1)) ++wrong_;
  }
  void check(Entropy& entropy) const {
    REQUIRE(wrong_ == 0);
    const Tree tree = tree_.tree();
    check_same(tree, model_);
    for (int i = 0; i < 30; ++i) {
      const std::string key = key_of(entropy.below(100'000));
      const auto found = model_.find(key);
      REQUIRE(tree.find(key) == (found == model_.end() ? nullptr : found->second));
      const auto rank = std::distance(model_.begin(), model_.lower_bound(key));
      REQUIRE(tree.count({}, key) == static_cast<std::size_t>(rank));
      const std::string other = key_of(entropy.below(100'000));
      REQUIRE(tree.extent(key, other) == extent(key, other));
    }
    REQUIRE(tree.extent({}, {}) == extent({}, {}));
  }
  Tree tree() const { return tree_.tree(); }
  const TreeModel& model() const { return model_; }

 private:
  Tree::Extent extent(const std::string& from, const std::string& to) const {
    Tree::Extent sum;
    for (auto i = model_.lower_bound(from); i != model_.end() && (to.empty() || i->first < to);
         ++i) {
      ++sum.records;
      sum.bytes += i->second->bytes.size();
    }
    return sum;
  }

  TreeWriter tree_;
  TreeModel model_;
  std::size_t puts_ = 0;
  int wrong_ = 0;  // erasures on which tree and map disagreed
};

TEST_CASE("tree property: agrees with a map through growth and decline", "[property]") {
  static constexpr Phase kPhases[] = {
      {"grow at random", 30'000, 100, 0, 100'000, false},
      {"churn", 20'000, 50, 0, 100'000, false},
      {"append", 10'000, 100, 60'000, 20'000, true},
      {"empty a range in order", 50'000, 0, 10'000, 50'000, true},
      {"churn in the gap", 20'000, 70, 30'000, 3'000, false},
      {"grow again", 20'000, 90, 0, 100'000, false},
      {"decline at random", 80'000, 5, 0, 100'000, false},
      {"empty all in order", 100'000, 0, 0, 100'000, true},
      {"grow from nothing", 3'000, 100, 0, 100'000, true},
  };
  Entropy entropy({}, 1);
  Pair pair;
  for (const Phase& phase : kPhases) {
    INFO(phase.name);
    const Tree before = pair.tree();
    const TreeModel before_model = pair.model();
    for (int i = 0; i < phase.operations; ++i) {
      const std::uint64_t n =
          phase.in_order ? static_cast<std::uint64_t>(i) % phase.span : entropy.below(phase.span);
      const std::string key = key_of(phase.first + n);
      if (entropy.below(100) < phase.puts) {
        pair.put(key);
      } else {
        pair.erase(key);
      }
      if (i % 19'999 == 0) pair.check(entropy);
    }
    pair.check(entropy);
    check_same(before, before_model);
  }
}

// Keys of few bytes that begin alike, are the beginning of others, or have bytes of 0 and 255.
std::string odd_key(Entropy& entropy) {
  static constexpr std::string_view kBegins[] = {"", "core/pods/default/",
                                                 "core/pods/default/web-"};
  static constexpr char kBytes[] = {'\0', 'a', 'b', '\xff'};
  std::string key(kBegins[entropy.below(3)]);
  for (std::uint64_t left = 1 + entropy.below(12); left > 0; --left)
    key += kBytes[entropy.below(4)];
  return key;
}

TEST_CASE("tree property: keys that begin alike are found and ordered", "[property]") {
  Entropy entropy({}, 2);
  TreeWriter tree;
  TreeModel model;
  for (int i = 0; i < 60'000; ++i) {
    const std::string key = odd_key(entropy);
    const bool growing = i / 10'000 % 2 == 0;
    if (entropy.below(100) < (growing ? 80 : 20)) {
      auto record = std::make_shared<Record>();
      record->key = key;
      tree.put(record);
      model[key] = std::move(record);
    } else {
      REQUIRE(tree.erase(key) == (model.erase(key) == 1));
    }
    const std::string other = odd_key(entropy);
    const auto found = model.find(other);
    REQUIRE(tree.find(other) == (found == model.end() ? nullptr : found->second));
    if (i % 1'000 != 0) continue;
    check_same(tree.tree(), model);
    const auto rank = std::distance(model.begin(), model.lower_bound(other));
    REQUIRE(tree.tree().count({}, other) == static_cast<std::size_t>(rank));
    std::string first;
    tree.tree().scan(other, {}, [&](std::string_view seen, const RecordPtr&) {
      first = seen;
      return false;
    });
    const auto next = model.lower_bound(other);
    REQUIRE(first == (next == model.end() ? std::string() : next->first));
  }
}

}  // namespace
}  // namespace tabernetes::store

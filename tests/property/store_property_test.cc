// The store against a naive model that keeps a whole std::map for every revision.
//
// Random writes from seeded generators; after them every state that can still be read, every replay
// of the history, every count and scan, and what watchers were told, must agree with the model.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <string>
#include <vector>

#include "base/entropy.h"
#include "store/store.h"

namespace tabernetes::store {
namespace {

struct Entry {
  Revision revision;
  std::string bytes;
  friend bool operator==(const Entry&, const Entry&) = default;
};
using Model = std::map<std::string, Entry>;

Model contents(const Tree& tree, std::string_view from = {}, std::string_view to = {}) {
  Model model;
  tree.scan(from, to, [&](std::string_view key, const RecordPtr& record) {
    REQUIRE(key == record->key);
    const bool added =
        model.emplace(std::string(key), Entry{record->revision, record->bytes}).second;
    REQUIRE(added);
    return true;
  });
  return model;
}

class PrefixWatcher : public WatchHub::Watcher {
 public:
  explicit PrefixWatcher(std::string prefix) : prefix(std::move(prefix)) {}
  void changed() override { ++told; }
  void interrupted() override { told = 0; }
  bool concerns(std::string_view key) const {
    const bool folder = prefix.empty() || prefix.back() == '/';
    return folder ? key.substr(0, prefix.size()) == prefix : key == prefix;
  }

  const std::string prefix;
  int told = 0;
  int expected = 0;
};

struct Shape {
  const char* name;
  std::uint64_t seed;
  int keys;  // how many different ones
  int writes;
  int removals;  // of 100 writes
  std::size_t history_events;
  int snapshot_each;  // a snapshot is held every so many writes
};

class Run {
 public:
  explicit Run(const Shape& shape)
      : shape_(shape),
        entropy_({}, shape.seed),
        store_({.history_events = shape.history_events, .history_bytes = 64u << 20}),
        watchers_{PrefixWatcher(""), PrefixWatcher("g/"), PrefixWatcher("g/r1/"),
                  PrefixWatcher("g/r1/ns2/"), PrefixWatcher(key_of(5))} {
    states_.resize(2);  // of revision 0, which never is, and 1
    for (PrefixWatcher& w : watchers_) store_.hub().add(w.prefix, &w);
  }
  ~Run() {
    for (PrefixWatcher& w : watchers_) store_.hub().remove(w.prefix, &w);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void all() {
    for (int i = 0; i < shape_.writes; ++i) {
      write();
      if (i % shape_.snapshot_each == 0) held_.push_back(store_.snapshot());
      if (i % 401 == 0) check_past();
    }
    check_past();
    check_ranges();
    check_replays();
    for (const Snapshot& held : held_) REQUIRE(contents(held.tree) == states_[held.revision]);
    for (const PrefixWatcher& w : watchers_) CHECK(w.told == w.expected);
    check_compaction();
  }

 private:
  static std::string key_of(std::uint64_t n) {
    return "g/r" + std::to_string(n % 2) + "/ns" + std::to_string(n % 7) + "/n" + std::to_string(n);
  }
  std::string any_key() { return key_of(entropy_.below(static_cast<std::uint64_t>(shape_.keys))); }

  void write() {
    const std::string key = any_key();
    Model model = states_.back();
    const auto old = model.find(key);
    const Revision current = old == model.end() ? 0 : old->second.revision;
    const bool wrong = entropy_.below(10) == 0;
    const Revision expected = wrong ? current + 1 + entropy_.below(3) : current;
    const Revision next = store_.revision() + 1;
    if (entropy_.below(100) < static_cast<std::uint64_t>(shape_.removals)) {
      const auto removed = store_.remove(key, expected);
      REQUIRE(removed.has_value() == (current != 0 && !wrong));
      if (!removed) return;
      REQUIRE(*removed == next);
      model.erase(key);
    } else {
      const std::string bytes = std::to_string(entropy_.next());
      const auto stored = store_.put({key, expected, [&](Revision r) {
                                        REQUIRE(r == next);
                                        auto record = std::make_shared<Record>();
                                        record->bytes = bytes;
                                        return record;
                                      }});
      REQUIRE(stored.has_value() == !wrong);
      if (!stored) return;
      model[key] = Entry{next, bytes};
    }
    states_.push_back(std::move(model));
    for (PrefixWatcher& w : watchers_) w.expected += w.concerns(key) ? 1 : 0;
    REQUIRE(store_.revision() == states_.size() - 1);
  }

  void check_past() {
    for (int i = 0; i < 5; ++i) {
      const Revision revision = entropy_.below(store_.revision() + 1);
      const auto state = store_.snapshot_at(revision);
      REQUIRE(state.has_value() == (revision >= store_.compacted_revision()));
      if (state) REQUIRE(contents(state->tree) == states_[revision]);
    }
    REQUIRE_FALSE(store_.snapshot_at(store_.revision() + 1));
  }

  void check_ranges() {
    const Tree tree = store_.snapshot().tree;
    const Model& model = states_.back();
    REQUIRE(tree.size() == model.size());
    for (int i = 0; i < 200; ++i) {
      std::string from = any_key(), to = i % 10 == 0 ? "" : any_key();
      if (!to.empty() && to < from) std::swap(from, to);
      const auto first = model.lower_bound(from);
      const auto end = to.empty() ? model.end() : model.lower_bound(to);
      REQUIRE(contents(tree, from, to) == Model(first, end));
      REQUIRE(tree.count(from, to) == std::size_t(std::distance(first, end)));
    }
  }

  // The events after any kept revision lead from its state to the newest.
  void check_replays() {
    const History& history = store_.history();
    for (int i = 0; i < 20; ++i) {
      const Revision from = store_.compacted_revision() +
                            entropy_.below(store_.revision() - store_.compacted_revision() + 1);
      Model model = states_[from];
      for (std::size_t at = history.first_after(from); at < history.end(); ++at) {
        const Event& event = *history.at(at);
        const auto old = model.find(std::string(event.key));
        REQUIRE((old != model.end()) == (event.previous != nullptr));
        if (event.previous) REQUIRE(old->second.revision == event.previous->revision);
        if (event.current) {
          model[std::string(event.key)] = Entry{event.current->revision, event.current->bytes};
        } else {
          model.erase(old);
        }
        REQUIRE(model == states_[event.revision]);
      }
      REQUIRE(model == states_.back());
    }
  }

  void check_compaction() {
    const Revision middle = (store_.compacted_revision() + store_.revision()) / 2;
    REQUIRE(store_.compact(middle));
    const auto state = store_.snapshot_at(middle);
    REQUIRE(state);
    CHECK(contents(state->tree) == states_[middle]);
    CHECK_FALSE(store_.snapshot_at(middle - 1));
    CHECK(contents(store_.snapshot().tree) == states_.back());
  }

  Shape shape_;
  Entropy entropy_;
  Store store_;
  std::vector<PrefixWatcher> watchers_;
  std::vector<Model> states_;  // by revision
  std::vector<Snapshot> held_;
};

TEST_CASE("store property: agrees with a naive map", "[property]") {
  static constexpr Shape kShapes[] = {
      {"few keys, much churn", 1, 10, 3000, 45, 100'000, 7},
      {"grows", 2, 100'000, 600, 5, 100'000, 50},
      {"grows and shrinks", 3, 300, 1500, 48, 100'000, 3},
      {"short history", 4, 100, 2000, 30, 64, 100},
      {"a snapshot at every write", 5, 200, 800, 40, 100'000, 1},
      {"nothing held", 6, 200, 1500, 40, 100'000, 1'000'000},
  };
  for (const Shape& shape : kShapes) {
    DYNAMIC_SECTION(shape.name) { Run(shape).all(); }
  }
}

}  // namespace
}  // namespace tabernetes::store

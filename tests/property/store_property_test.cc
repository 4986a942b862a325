// Compares the store with a naive model that keeps a whole std::map for every revision.
//
// Random writes, pauses and forks from seeded generators; afterwards every readable state, every
// replay of the history, every count and scan, and all notifications of watchers must agree with
// the model, for each fork as for the store it came from. Readers and forks on other threads must
// not see or disturb concurrent writes (the thread sanitizer's build checks this more closely).
#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/numbers/entropy.h"
#include "store/store.h"

namespace tabernetes::store {
namespace {

struct Entry {
  Revision revision;
  std::string bytes;
  friend bool operator==(const Entry&, const Entry&) = default;
};
using Model = std::map<std::string, Entry>;
using ModelPtr = std::shared_ptr<const Model>;

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
  int keys;  // number of different keys
  int writes;
  int removals;  // per 100 writes
  std::size_t history_events;
  int snapshot_each;                   // a snapshot is kept every so many writes
  std::int64_t history_seconds = 300;  // a write takes a second on average
  int forks = 0;                       // this many times, half-way to the end, in each branch
};

class Run {
 public:
  explicit Run(const Shape& shape)
      : shape_(shape),
        entropy_({}, shape.seed),
        store_({.events = shape.history_events,
                .bytes = 64u << 20,
                .age = Duration::from_seconds(shape.history_seconds)}) {
    states_.assign(2, std::make_shared<Model>());  // revisions 0 (which does not exist) and 1
    times_.resize(2);
    watch();
  }
  // A fork, with a different seed.
  Run(const Run& parent, std::uint64_t seed)
      : shape_(parent.shape_),
        entropy_({}, seed),
        store_(parent.store_.fork()),
        now_(parent.now_),
        states_(parent.states_),
        times_(parent.times_),
        held_(parent.held_) {
    watch();
  }
  ~Run() {
    for (PrefixWatcher& w : watchers_) store_.hub().remove(w.prefix, &w);
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  void all() { go_on(shape_.writes, shape_.forks); }

 private:
  void watch() {
    for (PrefixWatcher& w : watchers_) store_.hub().add(w.prefix, &w);
  }

  void go_on(int writes, int forks) {
    std::unique_ptr<Run> fork;
    for (int i = 0; i < writes; ++i) {
      if (forks > 0 && i == writes / 2) fork = std::make_unique<Run>(*this, entropy_.next());
      advance();
      write();
      if (i % shape_.snapshot_each == 0) held_.push_back(store_.snapshot());
      if (i % 401 == 0) check_past();
    }
    check_all();
    if (!fork) return;
    fork->go_on(writes / 2, forks - 1);
    check_all();
  }

  void check_all() {
    check_past();
    check_ranges();
    check_replays();
    for (const Snapshot& held : held_) REQUIRE(contents(held.tree) == *states_[held.revision]);
    for (const PrefixWatcher& w : watchers_) CHECK(w.told == w.expected);
    check_compaction();
  }

  static std::string key_of(std::uint64_t n) {
    return "g/r" + std::to_string(n % 2) + "/ns" + std::to_string(n % 7) + "/n" + std::to_string(n);
  }
  std::string any_key() { return key_of(entropy_.below(static_cast<std::uint64_t>(shape_.keys))); }

  // Advances time, now and then, by a while.
  void advance() {
    if (entropy_.below(10) == 0) now_ = now_ + Duration::from_seconds(entropy_.below(20));
    store_.advance(now_);
  }

  void write() {
    const std::string key = any_key();
    Model model = *states_.back();
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
    states_.push_back(std::make_shared<Model>(std::move(model)));
    times_.push_back(now_);
    for (PrefixWatcher& w : watchers_) w.expected += w.concerns(key) ? 1 : 0;
    REQUIRE(store_.revision() == states_.size() - 1);
  }

  // Checks that changes beyond the age limit are dropped, and the oldest readable state with them.
  void check_age() {
    const Duration age = Duration::from_seconds(shape_.history_seconds);
    Revision forgotten = 1;
    while (forgotten + 1 < times_.size() && age < now_ - times_[forgotten + 1]) ++forgotten;
    const Revision kept = store_.revision() - shape_.history_events;
    if (shape_.history_events < store_.revision()) forgotten = std::max(forgotten, kept);
    REQUIRE(store_.compacted_revision() == std::max(forgotten, compacted_));
  }

  void check_past() {
    check_age();
    for (int i = 0; i < 5; ++i) {
      const Revision revision = entropy_.below(store_.revision() + 1);
      const auto state = store_.snapshot_at(revision);
      REQUIRE(state.has_value() == (revision >= store_.compacted_revision()));
      if (state) REQUIRE(contents(state->tree) == *states_[revision]);
    }
    REQUIRE_FALSE(store_.snapshot_at(store_.revision() + 1));
  }

  void check_ranges() {
    const Tree tree = store_.snapshot().tree;
    const Model& model = *states_.back();
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

  // Checks that the events after any kept revision lead from its state to the newest.
  void check_replays() {
    const History& history = store_.history();
    for (int i = 0; i < 20; ++i) {
      const Revision from = store_.compacted_revision() +
                            entropy_.below(store_.revision() - store_.compacted_revision() + 1);
      Model model = *states_[from];
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
        REQUIRE(model == *states_[event.revision]);
        REQUIRE(event.time == times_[event.revision]);
      }
      REQUIRE(model == *states_.back());
    }
  }

  void check_compaction() {
    const Revision middle = (store_.compacted_revision() + store_.revision()) / 2;
    REQUIRE(store_.compact(middle));
    compacted_ = middle;
    const auto state = store_.snapshot_at(middle);
    REQUIRE(state);
    CHECK(contents(state->tree) == *states_[middle]);
    CHECK_FALSE(store_.snapshot_at(middle - 1));
    CHECK(contents(store_.snapshot().tree) == *states_.back());
  }

  Shape shape_;
  Entropy entropy_;
  Store store_;
  Time now_;
  std::vector<PrefixWatcher> watchers_{PrefixWatcher(""), PrefixWatcher("g/"),
                                       PrefixWatcher("g/r1/"), PrefixWatcher("g/r1/ns2/"),
                                       PrefixWatcher(key_of(5))};
  std::vector<ModelPtr> states_;  // by revision
  std::vector<Time> times_;       // by revision
  Revision compacted_ = 1;        // explicit compactions
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
      {"forgets soon", 7, 100, 2000, 40, 100'000, 50, 60},
      {"forgets at once", 8, 50, 500, 40, 100'000, 50, 0},
      {"forks of forks", 9, 300, 1200, 40, 100'000, 100, 600, 3},
      {"forks with a short history", 10, 60, 1200, 30, 200, 100, 600, 2},
  };
  for (const Shape& shape : kShapes) {
    DYNAMIC_SECTION(shape.name) { Run(shape).all(); }
  }
}

// A queue of work for other threads, of at most eight items.
template <typename T>
class Queue {
 public:
  void push(T item) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return items_.size() < 8; });
    items_.push_back(std::move(item));
    changed_.notify_all();
  }
  // Returns nullopt once the queue is closed and empty.
  std::optional<T> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !items_.empty() || closed_; });
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    changed_.notify_all();
    return item;
  }
  void close() {
    const std::scoped_lock lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> items_;
  bool closed_ = false;
};

Write write_of(const std::string& key, Revision expected) {
  return {key, expected, [](Revision revision) {
            auto record = std::make_shared<Record>();
            record->bytes = std::to_string(revision);
            return record;
          }};
}

// Returns a checksum of a state's records, which a torn read would change.
std::uint64_t checksum(const Tree& tree) {
  std::uint64_t sum = tree.size();
  tree.scan({}, {}, [&](std::string_view key, const RecordPtr& record) {
    for (const char c : key) sum = sum * 31 + static_cast<unsigned char>(c);
    sum = sum * 31 + record->revision + (record->bytes == std::to_string(record->revision));
    return true;
  });
  return sum;
}

void write_at_random(Store& store, Entropy& entropy) {
  const std::string key = "k" + std::to_string(entropy.below(500));
  const RecordPtr old = store.get(key);
  if (old && entropy.below(3) == 0) {
    (void)store.remove(key, 0);
  } else {
    (void)store.put(write_of(key, old ? old->revision : 0));
  }
}

TEST_CASE("store property: states are read and dropped on other threads meanwhile", "[property]") {
  struct Piece {
    Snapshot state;
    std::uint64_t sum;
  };
  Queue<Piece> queue;
  std::atomic<int> wrong = 0, read = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      while (std::optional<Piece> piece = queue.pop()) {
        const Snapshot copy = piece->state;
        piece->state = {};
        if (checksum(copy.tree) != piece->sum) ++wrong;
        ++read;
      }
    });
  }
  Store store({.events = 1000});
  Entropy entropy({}, 11);
  for (int i = 0; i < 1500; ++i) {
    for (std::uint64_t n = entropy.below(6); n > 0; --n) write_at_random(store, entropy);
    const bool old = i % 4 == 0;
    const Revision revision =
        old ? (store.compacted_revision() + store.revision()) / 2 : store.revision();
    Snapshot state = *store.snapshot_at(revision);
    const std::uint64_t sum = checksum(state.tree);
    queue.push({std::move(state), sum});
  }
  queue.close();
  for (std::thread& reader : readers) reader.join();
  CHECK(wrong == 0);
  CHECK(read == 1500);
}

TEST_CASE("store property: forks are written on other threads meanwhile", "[property]") {
  Store parent({.events = 1000});
  Entropy entropy({}, 12);
  for (int i = 0; i < 1500; ++i) write_at_random(parent, entropy);
  std::atomic<int> wrong = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<std::thread> writers;
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      // Taken on this thread: all calls of the parent come from here.
      auto state = std::make_shared<Snapshot>(parent.snapshot());
      writers.emplace_back(
          [fork = std::shared_ptr<Store>(new Store(parent.fork())), state, seed, &wrong] {
            const std::uint64_t before = checksum(state->tree);
            Entropy own({}, seed);
            for (int i = 0; i < 150; ++i) write_at_random(*fork, own);
            (void)fork->compact((fork->compacted_revision() + fork->revision()) / 2);
            for (int i = 0; i < 150; ++i) write_at_random(*fork, own);
            const auto then = fork->snapshot_at(state->revision);
            if (!then || checksum(then->tree) != before || checksum(state->tree) != before) ++wrong;
          });
    }
    for (int i = 0; i < 300; ++i) write_at_random(parent, entropy);
    for (std::thread& writer : writers) writer.join();
  }
  CHECK(wrong == 0);
}

}  // namespace
}  // namespace tabernetes::store

#include "store/store.h"

#include <catch2/catch_test_macros.hpp>

#include "records.h"

namespace tabernetes::store {
namespace {

// Prints "ok@R" or the error's name.
template <typename T>
std::string outcome(const Store& store, const tl::expected<T, Error>& result) {
  if (result) return "ok@" + std::to_string(store.revision());
  switch (result.error()) {
    case Error::kNotFound:
      return "NotFound";
    case Error::kExists:
      return "Exists";
    case Error::kConflict:
      return "Conflict";
    case Error::kCompacted:
      return "Compacted";
    case Error::kFuture:
      return "Future";
  }
  return "?";
}

std::string put(Store& store, std::string_view key, Revision expected, std::string_view bytes) {
  return outcome(store, store.put(write_of(key, expected, bytes)));
}

std::string remove(Store& store, std::string_view key, Revision expected) {
  return outcome(store, store.remove(key, expected));
}

std::string at(const Store& store, Revision revision) {
  const auto state = store.snapshot_at(revision);
  return state ? print(state->tree) : outcome(store, state);
}

class Listener final : public WatchHub::Watcher {
 public:
  int changes = 0, interruptions = 0;

 private:
  void changed() override { ++changes; }
  void interrupted() override { ++interruptions; }
};

TEST_CASE("store: what is held back settles or is undone", "[store]") {
  Store store;
  put(store, "a", 0, "1");
  Listener counter;
  store.hub().add("", &counter);
  store.hold_changes();
  CHECK(put(store, "a", 2, "2") == "ok@3");
  CHECK(put(store, "b", 0, "1") == "ok@4");
  CHECK(print(store.tree()) == "a=2 b=1");
  CHECK(print(store.settled_tree()) == "a=1");
  CHECK(store.settled_revision() == 2);
  CHECK(counter.changes == 0);

  const Snapshot state = store.snapshot();
  const std::size_t end = store.history().end();
  CHECK(remove(store, "a", 0) == "ok@5");
  store.settle(state, end);
  CHECK(print(store.settled_tree()) == "a=2 b=1");
  CHECK(store.settled_end() == end);
  CHECK(counter.changes == 2);

  store.undo();
  CHECK(print(store.tree()) == "a=2 b=1");
  CHECK(store.revision() == 5);
  CHECK(counter.changes == 2);
  CHECK(put(store, "c", 0, "1") == "ok@6");
  store.settle(store.snapshot(), store.history().end());
  CHECK(counter.changes == 3);
  CHECK(at(store, 2) == "a=1");
  CHECK(at(store, 4) == "a=2 b=1");
  CHECK(at(store, 5) == "a=2 b=1");
  CHECK(counter.interruptions == 0);
}

TEST_CASE("store: a restore that is undone leaves the settled state, without its history",
          "[store]") {
  Store store;
  put(store, "a", 0, "1");
  store.hold_changes();
  store.restore({{}, 7});
  CHECK(put(store, "b", 0, "1") == "ok@8");
  store.undo();
  CHECK(print(store.tree()) == "a=1");
  CHECK(put(store, "c", 0, "1") == "ok@9");
  store.settle(store.snapshot(), store.history().end());
  CHECK(at(store, 2) == "a=1");
  CHECK(at(store, 1) == "Compacted");
}

TEST_CASE("store: changes are made again as they were", "[store]") {
  Store store;
  store.replay("a", record_of("a", "1"), 5, {});
  store.replay("a", record_of("a", "2"), 9, {});
  store.replay("none", nullptr, 10, {});
  store.replay("a", nullptr, 11, {});
  CHECK(store.revision() == 11);
  CHECK(print(store.tree()).empty());
  CHECK(at(store, 7) == "a=1");
  CHECK(at(store, 9) == "a=2");
  CHECK(store.history().at(store.history().end() - 1)->previous->revision == 9);
}

TEST_CASE("store: writes check the expected revision and number themselves", "[store]") {
  Store store;
  CHECK(store.revision() == 1);
  CHECK(put(store, "a", 7, "x") == "NotFound");
  CHECK(put(store, "a", 0, "x") == "ok@2");
  CHECK(put(store, "a", 0, "y") == "Exists");
  CHECK(put(store, "a", 1, "y") == "Conflict");
  CHECK(put(store, "a", 2, "y") == "ok@3");
  CHECK(remove(store, "b", 0) == "NotFound");
  CHECK(remove(store, "a", 2) == "Conflict");
  REQUIRE(store.get("a"));
  CHECK(store.get("a")->revision == 3);
  CHECK(store.get("a")->key == "a");
  CHECK(remove(store, "a", 3) == "ok@4");
  CHECK(store.get("a") == nullptr);
  CHECK(put(store, "a", 0, "z") == "ok@5");
  CHECK(remove(store, "a", 0) == "ok@6");
}

TEST_CASE("store: a failed write does not make its record", "[store]") {
  Store store;
  bool made = false;
  Write write = write_of("a", 3, "x");
  write.make = [&](Revision) {
    made = true;
    return std::make_shared<Record>();
  };
  CHECK_FALSE(store.put(write));
  CHECK_FALSE(made);
  CHECK(store.revision() == 1);
  CHECK(store.history().end() == 0);
}

TEST_CASE("store: the record is made with the revision that it gets", "[store]") {
  Store store;
  put(store, "a", 0, "x");
  Write write = write_of("b", 0, "");
  write.make = [](Revision revision) {
    auto record = std::make_unique<Record>();
    record->bytes = std::to_string(revision);
    return record;
  };
  const auto stored = store.put(write);
  REQUIRE(stored);
  CHECK((*stored)->bytes == "3");
  CHECK((*stored)->revision == 3);
}

TEST_CASE("store: old states can be read until they are compacted", "[store]") {
  Store store;
  put(store, "a", 0, "1");  // 2
  put(store, "b", 0, "1");  // 3
  put(store, "a", 2, "2");  // 4
  remove(store, "b", 3);    // 5
  put(store, "c", 0, "1");  // 6
  const char* const kStates[] = {"", "", "a=1", "a=1 b=1", "a=2 b=1", "a=2", "a=2 c=1"};
  for (Revision r = 1; r <= 6; ++r) CHECK(at(store, r) == kStates[r]);
  for (Revision r = 6; r >= 1; --r) CHECK(at(store, r) == kStates[r]);  // from cached states
  CHECK(at(store, 7) == "Future");
  CHECK(at(store, 0) == "Compacted");

  CHECK(outcome(store, store.compact(7)) == "Future");
  CHECK(outcome(store, store.compact(4)) == "ok@6");
  CHECK(at(store, 3) == "Compacted");
  CHECK(at(store, 4) == "a=2 b=1");
  CHECK(outcome(store, store.compact(3)) == "Compacted");
  CHECK(outcome(store, store.compact(4)) == "ok@6");
  CHECK(outcome(store, store.compact(6)) == "ok@6");
  CHECK(at(store, 6) == "a=2 c=1");
  CHECK(at(store, 5) == "Compacted");
}

TEST_CASE("store: old states of a store with a short history", "[store]") {
  Store store({.events = 2, .bytes = 1 << 20});
  for (const char* key : {"a", "b", "c", "d"}) put(store, key, 0, "1");
  CHECK(store.compacted_revision() == 3);
  CHECK(at(store, 2) == "Compacted");
  CHECK(at(store, 3) == "a=1 b=1");
  CHECK(at(store, 4) == "a=1 b=1 c=1");
}

TEST_CASE("store: states around the kept ones are right", "[store]") {
  Store store;
  constexpr Revision kLast = 40'000;  // more than two regularly cached states
  put(store, "n", 0, "2");
  for (Revision r = 3; r <= kLast; ++r) {
    REQUIRE(put(store, "n", r - 1, std::to_string(r)) == "ok@" + std::to_string(r));
  }
  for (const Revision r : {2u, 16'383u, 16'384u, 16'385u, 24'000u, 25'000u, 32'768u, 39'999u}) {
    CHECK(at(store, r) == "n=" + std::to_string(r));
  }
}

class Log : public WatchHub::Watcher {
 public:
  explicit Log(Store& store) : store_(store) {}
  // The tree and the history show the change already.
  void changed() override {
    const Event& event = *store_.history().at(store_.history().end() - 1);
    text += std::to_string(event.revision) + (event.previous ? "-" : "") +
            (store_.get(event.key) == event.current ? "+ " : "? ");
  }
  void interrupted() override { text += "!"; }
  std::string text;

 private:
  Store& store_;
};

TEST_CASE("store: watchers are told after the change is in tree and history", "[store]") {
  Store store;
  Log log(store);
  store.hub().add("x/", &log);
  put(store, "x/1", 0, "1");
  put(store, "y/1", 0, "1");
  put(store, "x/1", 2, "2");
  remove(store, "x/1", 0);
  CHECK(log.text == "2+ 4-+ 5-+ ");
  store.hub().remove("x/", &log);
}

TEST_CASE("store: restore goes back in contents, on in revisions", "[store]") {
  Store store;
  put(store, "a", 0, "1");
  const Snapshot initial = store.snapshot();
  put(store, "a", 2, "2");
  put(store, "b", 0, "1");
  Log log(store);
  store.hub().add("", &log);
  store.restore({initial.tree, store.revision() + 1});
  CHECK(log.text == "!");
  store.hub().remove("", &log);
  CHECK(print(store.snapshot().tree) == "a=1");
  CHECK(store.revision() == 5);
  CHECK(store.compacted_revision() == 5);
  CHECK(at(store, 4) == "Compacted");
  CHECK(at(store, 5) == "a=1");
  CHECK(put(store, "a", 2, "3") == "ok@6");
  CHECK(at(store, 5) == "a=1");
  CHECK(print(initial.tree) == "a=1");
}

TEST_CASE("store: states age out of reach", "[store]") {
  Store store({.age = Duration::from_seconds(300)});
  const auto advance = [&](std::int64_t second) {
    store.advance(Time{} + Duration::from_seconds(second));
  };
  advance(0);
  put(store, "a", 0, "1");  // 2
  advance(100);
  put(store, "a", 2, "2");  // 3
  advance(200);
  put(store, "a", 3, "3");  // 4
  advance(300);
  CHECK(at(store, 1).empty());
  advance(301);
  CHECK(at(store, 1) == "Compacted");
  CHECK(at(store, 2) == "a=1");  // was current 201 seconds ago
  advance(401);
  CHECK(at(store, 2) == "Compacted");
  CHECK(at(store, 3) == "a=2");
  advance(100'000);
  CHECK(at(store, 3) == "Compacted");
  CHECK(at(store, 4) == "a=3");
  CHECK(store.compacted_revision() == 4);
}

TEST_CASE("store: a fork has the same past and no watchers", "[store]") {
  Store parent;
  put(parent, "a", 0, "1");  // 2
  put(parent, "a", 2, "2");  // 3
  Log log(parent);
  parent.hub().add("", &log);
  Store fork = parent.fork();
  CHECK(fork.revision() == 3);
  CHECK(fork.hub().size() == 0);
  CHECK(put(fork, "a", 3, "fork") == "ok@4");
  CHECK(put(fork, "b", 0, "fork") == "ok@5");
  CHECK(put(parent, "a", 3, "parent") == "ok@4");
  CHECK(log.text == "4-+ ");
  parent.hub().remove("", &log);
  CHECK(at(fork, 2) == "a=1");
  CHECK(at(parent, 2) == "a=1");
  CHECK(at(fork, 4) == "a=fork");
  CHECK(at(parent, 4) == "a=parent");
  CHECK(at(parent, 5) == "Future");
  CHECK(fork.compact(3));
  CHECK(at(fork, 2) == "Compacted");
  CHECK(at(parent, 2) == "a=1");
}

}  // namespace
}  // namespace tabernetes::store

#include "store/watch_hub.h"

#include <catch2/catch_test_macros.hpp>

#include "records.h"

namespace tabernetes::store {
namespace {

class Counter : public WatchHub::Watcher {
 public:
  void changed() override { ++changes; }
  void interrupted() override { ++interruptions; }
  int changes = 0;
  int interruptions = 0;
};

TEST_CASE("watch_hub: a change wakes the watchers of its key and of every folder above",
          "[store]") {
  struct Case {
    const char *prefix, *key;
    bool woken;
  };
  static constexpr Case kCases[] = {
      {"", "apps/x", true},
      {"", "x", true},
      {"/pods/", "/pods/default/a", true},
      {"/pods/default/", "/pods/default/a", true},
      {"/pods/default/a", "/pods/default/a", true},
      {"/pods/default/a", "/pods/default/ab", false},
      {"/pods/default/ab", "/pods/default/a", false},
      {"/pods/def/", "/pods/default/a", false},
      {"/pods/default/", "/pods/other/a", false},
      {"/", "/pods/default/a", true},
      {"apps/", "/pods/default/a", false},
  };
  for (const Case& c : kCases) {
    DYNAMIC_SECTION("'" << c.prefix << "' and " << c.key) {
      WatchHub hub;
      Counter counter;
      hub.add(c.prefix, &counter);
      Event event;
      event.revision = 2;
      event.key = c.key;
      hub.publish(event);
      CHECK(counter.changes == (c.woken ? 1 : 0));
      hub.remove(c.prefix, &counter);
      hub.publish(event);
      CHECK(counter.changes == (c.woken ? 1 : 0));
      CHECK(hub.size() == 0);
    }
  }
}

TEST_CASE("watch_hub: watchers of one prefix come and go apart", "[store]") {
  WatchHub hub;
  Counter a, b, c;
  hub.add("x/", &a);
  hub.add("x/", &b);
  hub.add("y/", &c);
  CHECK(hub.size() == 3);
  hub.remove("x/", &a);
  hub.remove("x/", &a);  // removing twice is harmless
  hub.remove("z/", &c);  // so is a prefix that it was not added with
  CHECK(hub.size() == 2);
  Event event;
  event.key = "x/1";
  hub.publish(event);
  CHECK(a.changes == 0);
  CHECK(b.changes == 1);
  CHECK(c.changes == 0);
  hub.interrupt_all();
  CHECK(a.interruptions == 0);
  CHECK(b.interruptions == 1);
  CHECK(c.interruptions == 1);
  CHECK(hub.size() == 0);
}

}  // namespace
}  // namespace tabernetes::store

#include "controllers/loop/work_queue.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::controllers {
namespace {

Time at(std::int64_t milliseconds) { return Time::from_unix_milliseconds(milliseconds); }

TEST_CASE("work queue: a key once, at its earliest time, in order", "[controllers]") {
  WorkQueue queue;
  CHECK_FALSE(queue.next());
  queue.add("b", at(5));
  queue.add("a", at(5));
  queue.add("late", at(9));
  queue.add("b", at(7));     // later than already due
  queue.add("late", at(5));  // sooner: after those of that time
  CHECK(queue.next() == at(5));
  CHECK_FALSE(queue.take(at(4)));
  CHECK(queue.take(at(5)) == "b");
  queue.add("b", at(6));
  CHECK(queue.take(at(5)) == "a");
  CHECK(queue.take(at(5)) == "late");
  CHECK_FALSE(queue.take(at(5)));
  CHECK(queue.take(at(100)) == "b");
  CHECK_FALSE(queue.next());
}

TEST_CASE("work queue: is empty after clear, and starts anew", "[controllers]") {
  WorkQueue queue;
  queue.add("a", at(1));
  queue.add("b", at(2));
  queue.clear();
  CHECK_FALSE(queue.next());
  CHECK_FALSE(queue.take(at(9)));
  queue.add("b", at(7));
  queue.add("a", at(7));
  CHECK(queue.next() == at(7));
  CHECK(queue.take(at(7)) == "b");
  CHECK(queue.take(at(7)) == "a");
}

TEST_CASE("work queue: a copy goes its own way", "[controllers]") {
  WorkQueue queue;
  queue.add("a", at(1));
  WorkQueue copy = queue;
  CHECK(copy.take(at(1)) == "a");
  copy.add("b", at(1));
  CHECK(queue.take(at(1)) == "a");
  CHECK_FALSE(queue.next());
}

}  // namespace
}  // namespace tabernetes::controllers

#include "server/pending/deadlines.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace tabernetes::server {
namespace {

TEST_CASE("deadlines: run in order, once, and not when cancelled", "[server]") {
  Deadlines deadlines;
  std::vector<int> ran;
  deadlines.add(Time{30}, [&] { ran.push_back(30); });
  deadlines.add(Time{10}, [&] { ran.push_back(10); });
  const auto cancelled = deadlines.add(Time{20}, [&] { ran.push_back(20); });
  deadlines.cancel(cancelled);
  CHECK(deadlines.next() == Time{10});
  deadlines.run(Time{9});
  CHECK(ran.empty());
  deadlines.run(Time{29});
  CHECK(ran == std::vector<int>{10});
  deadlines.run(Time{30});
  deadlines.run(Time{99});
  CHECK(ran == std::vector<int>{10, 30});
  CHECK_FALSE(deadlines.next());
}

TEST_CASE("deadlines: an action may add another that is due at once", "[server]") {
  Deadlines deadlines;
  int count = 0;
  deadlines.add(Time{1}, [&] {
    ++count;
    deadlines.add(Time{2}, [&] { ++count; });
  });
  deadlines.run(Time{5});
  CHECK(count == 2);
}

}  // namespace
}  // namespace tabernetes::server

#include "server/pending/revision_waiters.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

namespace tabernetes::server {
namespace {

struct Fixture {
  Deadlines deadlines;
  RevisionWaiters waiting{deadlines};
  std::vector<std::string> log;

  RevisionWaiters::Handle add(store::Revision revision, std::int64_t until, std::string name) {
    return waiting.add(revision, Time{until}, [this, name](bool reached) {
      log.push_back(name + (reached ? " reached" : " late"));
    });
  }
};

TEST_CASE("waiting: a version that is reached resumes what waits for it or an earlier one",
          "[server]") {
  Fixture f;
  f.add(12, 100, "twelve");
  f.add(10, 100, "ten");
  f.add(10, 50, "ten again");
  f.add(20, 100, "twenty");
  f.waiting.reached(9);
  CHECK(f.log.empty());
  f.waiting.reached(15);
  CHECK(f.log == std::vector<std::string>{"ten reached", "ten again reached", "twelve reached"});
  CHECK(f.waiting.size() == 1);
  CHECK(f.deadlines.next() == Time{100});  // of the remaining one
}

TEST_CASE("waiting: what is not reached in time is told so, once", "[server]") {
  Fixture f;
  f.add(10, 50, "ten");
  f.deadlines.run(Time{49});
  CHECK(f.log.empty());
  f.deadlines.run(Time{50});
  CHECK(f.log == std::vector<std::string>{"ten late"});
  f.waiting.reached(10);
  CHECK(f.log.size() == 1);
  CHECK(f.waiting.size() == 0);
}

TEST_CASE("waiting: what is cancelled hears nothing", "[server]") {
  Fixture f;
  const auto handle = f.add(10, 50, "ten");
  f.add(10, 60, "other");
  f.waiting.cancel(handle);
  f.deadlines.run(Time{55});
  f.waiting.reached(10);
  CHECK(f.log == std::vector<std::string>{"other reached"});
  CHECK_FALSE(f.deadlines.next());
}

TEST_CASE("waiting: a resume may wait again", "[server]") {
  Fixture f;
  f.waiting.add(10, Time{50}, [&](bool) { f.add(11, 60, "again"); });
  f.waiting.reached(10);
  CHECK(f.waiting.size() == 1);
  f.waiting.reached(11);
  CHECK(f.log == std::vector<std::string>{"again reached"});
}

}  // namespace
}  // namespace tabernetes::server

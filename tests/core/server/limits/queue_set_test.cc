#include "server/limits/queue_set.h"

#include <catch2/catch_test_macros.hpp>
#include <deque>
#include <string>

namespace tabernetes::server {
namespace {

using Answer = QueueSet::Answer;

Time at(std::int64_t milliseconds) { return Time::from_unix_milliseconds(milliseconds); }

// A set, and the requests by the order in which they began to run after a wait.
struct Fixture {
  explicit Fixture(const QueueSet::Config& config, int seats) {
    set.configure(config, seats, at(0));
  }
  SeatedRequest& request() { return requests.emplace_back(); }

  std::vector<const SeatedRequest*> begun;
  QueueSet set{[this](SeatedRequest& each) { begun.push_back(&each); }, at(0)};
  std::deque<SeatedRequest> requests;
};

TEST_CASE("Without a limit everything runs") {
  Fixture all({.kind = QueueSet::Kind::kUnlimited}, 0);
  for (int i = 0; i < 10; ++i) CHECK(all.set.start(all.request(), 0, at(0)) == Answer::kRuns);
  CHECK(all.set.running() == 10);
  CHECK_FALSE(all.set.full());
}

TEST_CASE("Without queues what exceeds the seats is refused") {
  Fixture two({.kind = QueueSet::Kind::kRefuses}, 2);
  SeatedRequest& first = two.request();
  CHECK(two.set.start(first, 0, at(0)) == Answer::kRuns);
  CHECK(two.set.start(two.request(), 0, at(0)) == Answer::kRuns);
  CHECK(two.set.full());
  CHECK(two.set.start(two.request(), 0, at(1)) == Answer::kConcurrencyLimit);
  two.set.finish(first, at(2));
  CHECK_FALSE(two.set.full());
  CHECK(two.set.start(two.request(), 0, at(2)) == Answer::kRuns);
}

TEST_CASE("A queue lets requests run in their order, and refuses those that it has no room for") {
  Fixture one({.kind = QueueSet::Kind::kQueues, .queues = 1, .hand_size = 1, .queue_length = 2}, 1);
  SeatedRequest &a = one.request(), &b = one.request(), &c = one.request();
  CHECK(one.set.start(a, 0, at(0)) == Answer::kRuns);
  CHECK(one.set.start(b, 0, at(1)) == Answer::kWaits);
  CHECK(one.set.start(c, 0, at(2)) == Answer::kWaits);
  CHECK(one.set.start(one.request(), 0, at(3)) == Answer::kQueueFull);
  CHECK(one.set.waiting() == 2);
  one.begun.clear();
  one.set.finish(a, at(10));
  CHECK(one.begun == std::vector<const SeatedRequest*>{&b});
  CHECK(b.started == at(10));
  one.set.withdraw(c, at(11));
  one.set.finish(b, at(12));
  CHECK(one.begun.size() == 1);
  CHECK(one.set.idle());
}

TEST_CASE("A flow with much to do does not hold up one with little") {
  // Hashes 0 and 1 have a queue each.
  Fixture shared({.kind = QueueSet::Kind::kQueues, .queues = 2, .hand_size = 1, .queue_length = 50},
                 1);
  SeatedRequest& first = shared.request();
  shared.set.start(first, 0, at(0));
  std::vector<SeatedRequest*> busy;
  for (int i = 0; i < 5; ++i) {
    busy.push_back(&shared.request());
    CHECK(shared.set.start(*busy.back(), 0, at(0)) == Answer::kWaits);
  }
  SeatedRequest& rare = shared.request();
  CHECK(shared.set.start(rare, 1, at(1)) == Answer::kWaits);
  shared.begun.clear();
  shared.set.finish(first, at(100));
  CHECK(shared.begun == std::vector<const SeatedRequest*>{&rare});
  shared.set.finish(rare, at(200));
  CHECK(shared.begun.back() == busy.front());
}

TEST_CASE("More seats let more run at once; what waits keeps its queue when there are fewer") {
  Fixture set({.kind = QueueSet::Kind::kQueues, .queues = 4, .hand_size = 1, .queue_length = 5}, 1);
  SeatedRequest &a = set.request(), &b = set.request(), &c = set.request();
  set.set.start(a, 3, at(0));
  set.set.start(b, 3, at(0));
  set.set.start(c, 3, at(0));
  set.begun.clear();
  set.set.configure(
      {.kind = QueueSet::Kind::kQueues, .queues = 1, .hand_size = 1, .queue_length = 5}, 1, at(1));
  CHECK(set.set.waiting() == 2);
  set.set.configure({.kind = QueueSet::Kind::kRefuses}, 3, at(2));
  CHECK(set.begun.size() == 2);
  for (SeatedRequest* each : {&a, &b, &c}) set.set.finish(*each, at(3));
  CHECK(set.set.queues().empty());
}

TEST_CASE("Virtual time goes as fast as each queue is served") {
  Fixture set({.kind = QueueSet::Kind::kQueues, .queues = 2, .hand_size = 1, .queue_length = 5}, 1);
  set.set.start(set.request(), 0, at(0));
  set.set.start(set.request(), 1, at(0));
  CHECK(set.set.virtual_time() == 0);
  set.set.start(set.request(), 1, at(1000));
  CHECK(seat_seconds_text(set.set.virtual_time()) == "0.50000000ss");
  CHECK(seat_seconds_text(QueueSet::kWork) == "0.00300000ss");
  CHECK(seat_seconds_text(-QueueSet::kWork) == "-0.00300000ss");
}

}  // namespace
}  // namespace tabernetes::server

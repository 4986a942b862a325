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
  SeatedRequest& request(int seats = 1) {
    SeatedRequest& made = requests.emplace_back();
    made.work.initial_seats = seats;
    return made;
  }

  std::vector<const SeatedRequest*> begun, too_wide;
  QueueSet set{[this](SeatedRequest& each, QueueSet::Turn turn) {
                 (turn == QueueSet::Turn::kRuns ? begun : too_wide).push_back(&each);
               },
               at(0)};
  std::deque<SeatedRequest> requests;
};

TEST_CASE("Without a limit everything runs") {
  Fixture all({.kind = QueueSet::Kind::kUnlimited}, 0);
  for (int i = 0; i < 10; ++i) CHECK(all.set.start(all.request(), 0, at(0)) == Answer::kRuns);
  CHECK(all.set.running() == 10);
  CHECK(all.set.room() == kMostSeats);
}

TEST_CASE("Without queues what exceeds the seats is refused") {
  Fixture two({.kind = QueueSet::Kind::kRefuses}, 2);
  SeatedRequest& first = two.request();
  CHECK(two.set.start(first, 0, at(0)) == Answer::kRuns);
  CHECK(two.set.start(two.request(), 0, at(0)) == Answer::kRuns);
  CHECK(two.set.room() == 0);
  CHECK(two.set.start(two.request(), 0, at(1)) == Answer::kConcurrencyLimit);
  two.set.finish(first, at(2));
  CHECK(two.set.room() == 1);
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
}

TEST_CASE("Without queues a wide request needs all its seats, or to be alone") {
  Fixture three({.kind = QueueSet::Kind::kRefuses}, 3);
  SeatedRequest &two = three.request(2), &one = three.request();
  CHECK(three.set.start(two, 0, at(0)) == Answer::kRuns);
  CHECK(three.set.room() == 1);
  CHECK(three.set.start(three.request(2), 0, at(0)) == Answer::kConcurrencyLimit);
  CHECK(three.set.start(one, 0, at(0)) == Answer::kRuns);
  CHECK(three.set.seats_in_use() == 3);
  three.set.finish(two, at(1));
  CHECK(three.set.start(three.request(7), 0, at(1)) == Answer::kConcurrencyLimit);
  three.set.finish(one, at(1));
  CHECK(three.set.room() == kMostSeats);
  CHECK(three.set.start(three.request(7), 0, at(1)) == Answer::kRuns);
  CHECK(three.set.room() == 0);
}

TEST_CASE("A wide request whose turn it is holds up narrow ones until it has its seats") {
  Fixture set({.kind = QueueSet::Kind::kQueues, .queues = 1, .hand_size = 1, .queue_length = 5}, 4);
  SeatedRequest &first = set.request(), &second = set.request(), &wide = set.request(3),
                &narrow = set.request();
  set.set.start(first, 0, at(0));
  set.set.start(second, 0, at(0));
  set.begun.clear();
  CHECK(set.set.start(wide, 0, at(1)) == Answer::kWaits);
  CHECK(set.too_wide == std::vector<const SeatedRequest*>{&wide});
  CHECK(set.set.seats_waiting() == 3);
  CHECK(set.set.room() == 0);
  CHECK(set.set.start(narrow, 0, at(1)) == Answer::kWaits);
  CHECK(set.set.queues()[0]->initial_seats == 4);
  CHECK(seat_seconds_text(set.set.queues()[0]->work) == "0.01200000ss");
  set.set.finish(first, at(2));
  CHECK(set.begun == std::vector<const SeatedRequest*>{&wide});
  CHECK(set.set.seats_in_use() == 4);
  CHECK(set.set.queues()[0]->seats_in_use == 4);
  set.set.finish(second, at(3));
  CHECK(set.begun.back() == &narrow);
  CHECK(set.set.seats_waiting() == 0);
}

TEST_CASE("A request that is wider than the limit runs alone") {
  Fixture set({.kind = QueueSet::Kind::kQueues, .queues = 1, .hand_size = 1, .queue_length = 5}, 2);
  SeatedRequest &narrow = set.request(), &wide = set.request(5), &last = set.request();
  set.set.start(narrow, 0, at(0));
  CHECK(set.set.start(wide, 0, at(0)) == Answer::kWaits);
  CHECK(set.set.start(last, 0, at(0)) == Answer::kWaits);
  set.begun.clear();
  set.set.finish(narrow, at(1));
  CHECK(set.begun == std::vector<const SeatedRequest*>{&wide});
  set.set.finish(wide, at(2));
  CHECK(set.begun.back() == &last);
}

TEST_CASE("Fewer seats let what runs go on, and narrow what a write leaves behind") {
  const QueueSet::Config config{
      .kind = QueueSet::Kind::kQueues, .queues = 1, .hand_size = 1, .queue_length = 5};
  Fixture set(config, 6);
  SeatedRequest &first = set.request(4), &write = set.request();
  write.work.final_seats = 4;
  write.work.afterwards = Duration::from_milliseconds(5);
  set.set.start(first, 0, at(0));
  CHECK(set.set.start(write, 0, at(0)) == Answer::kWaits);
  CHECK(seat_seconds_text(set.set.queues()[0]->work) == "0.02300000ss");
  CHECK(set.set.queues()[0]->initial_seats == 1);
  CHECK(set.set.queues()[0]->seats == 4);
  set.set.configure(config, 2, at(1));
  CHECK(set.set.seats_in_use() == 4);
  set.set.finish(first, at(2));
  CHECK(write.place == SeatedRequest::Place::kRuns);
  CHECK(write.work.final_seats == 2);
  CHECK(write.work.afterwards == Duration::from_milliseconds(10));
  CHECK(set.set.seats_in_use() == 2);
  set.set.finish(write, at(3));
  CHECK(set.set.seats_in_use() == 0);
  CHECK(set.set.idle());
}

TEST_CASE("Of queues with equal starts the one whose request is done first has its turn") {
  Fixture set({.kind = QueueSet::Kind::kQueues, .queues = 2, .hand_size = 1, .queue_length = 5}, 2);
  SeatedRequest &first = set.request(2), &wide = set.request(2), &narrow = set.request();
  set.set.start(first, 0, at(0));
  set.set.finish(first, at(0));  // both queues are idle
  SeatedRequest& holds = set.request(2);
  set.set.start(holds, 0, at(1));
  set.set.start(wide, 0, at(1));
  set.set.start(narrow, 1, at(1));
  set.begun.clear();
  set.set.finish(holds, at(2));
  CHECK(set.begun.front() == &narrow);
}

}  // namespace
}  // namespace tabernetes::server

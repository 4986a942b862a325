// Fair queuing: which request of a priority level runs next. Flows share queues by shuffle
// sharding, and queues share the seats by start times in virtual time, R, which advances as fast as
// each queue with requests would be served. Source: upstream 1.36
// apiserver/pkg/util/flowcontrol/fairqueuing/queueset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tabernetes/time.h"

namespace tabernetes::server {

// Seats times seconds, in units of 1e-8.
using SeatSeconds = std::int64_t;
inline constexpr SeatSeconds kSeatSecond = 100'000'000;

// Returns as upstream prints it: "0.00300000ss".
std::string seat_seconds_text(SeatSeconds work);

struct RequestQueue;

// A request in a QueueSet. It takes one seat, for an expected 3 ms.
struct SeatedRequest {
  Time arrived = {};
  Time started = {};  // while it runs
  SeatSeconds arrived_at = 0;
  RequestQueue* queue = nullptr;  // null: it has not been in one
  enum class Place { kNowhere, kWaits, kRuns } place = Place::kNowhere;
};

struct RequestQueue {
  std::deque<SeatedRequest*> waiting;
  std::vector<SeatedRequest*> running;
  SeatSeconds next_dispatch = 0;
};

class QueueSet {
 public:
  // Calls `dispatched` for each request that has waited and may run now. It must not call into this
  // object.
  using Dispatched = std::function<void(SeatedRequest&)>;
  QueueSet(Dispatched dispatched, Time now) : dispatched_(std::move(dispatched)), last_(now) {}

  enum class Kind { kUnlimited, kRefuses, kQueues };
  struct Config {
    Kind kind = Kind::kUnlimited;
    int queues = 0, hand_size = 0, queue_length = 0;  // of kQueues
  };
  // Changes how requests are treated from now on; what waits stays in its queue.
  void configure(const Config& config, int seats, Time now);

  enum class Answer { kRuns, kWaits, kConcurrencyLimit, kQueueFull };
  // REQUIRES: `request` lives until it is finished or withdrawn.
  Answer start(SeatedRequest& request, std::uint64_t hash, Time now);
  void finish(SeatedRequest& request, Time now);
  // Takes a request that waits out of its queue.
  void withdraw(SeatedRequest& request, Time now);

  bool idle() const { return running_ == 0 && waiting_ == 0; }
  int running() const { return running_; }
  int waiting() const { return waiting_; }
  int seats() const { return seats_; }
  // Returns whether a request that comes now could not run at once.
  bool full() const {
    return config_.kind != Kind::kUnlimited && (waiting_ > 0 || running_ >= std::max(seats_, 1));
  }
  const std::vector<std::unique_ptr<RequestQueue>>& queues() const { return queues_; }
  const std::vector<SeatedRequest*>& without_queue() const { return without_queue_; }
  // Returns how many requests the queue has let wait behind the last one that came.
  std::size_t last_queue_length() const { return last_queue_length_; }

  // What the last request to run from a queue has found.
  struct Dispatch {
    SeatSeconds at = 0, start = 0;  // R; the request's start time
    // Of all queues whose first request could run.
    SeatSeconds least = 0, most = 0, discounted_least = 0, discounted_most = 0;
  };
  const Dispatch& last_dispatch() const { return dispatch_; }
  SeatSeconds virtual_time() const { return virtual_time_; }

  static constexpr SeatSeconds kWork = kSeatSecond * 3 / 1000;  // of a request

 private:
  void move_to(Time now);
  double speed() const;
  // Returns the index of a queue.
  std::size_t choose(std::uint64_t hash);
  void dispatch(Time now);
  bool dispatch_one(Time now);
  // Lets the first request of the queue run; `seen`: of all queues.
  void run_first(std::size_t index, Dispatch seen, Time now);
  void remove_if_superfluous(RequestQueue* queue);

  const Dispatched dispatched_;
  Config config_;
  int seats_ = 0;
  std::vector<std::unique_ptr<RequestQueue>> queues_;
  std::vector<SeatedRequest*> without_queue_;
  SeatSeconds virtual_time_ = 0;
  Time last_;
  std::size_t turn_ = 0, enqueued_ = 0, last_queue_length_ = 0;
  int running_ = 0, waiting_ = 0;
  Dispatch dispatch_;
};

}  // namespace tabernetes::server

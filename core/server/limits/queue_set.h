// Fair queuing: which request of a priority level runs next. Flows share queues by shuffle
// sharding, and queues share the seats by start times in virtual time, R, which advances as fast as
// each queue with requests would be served. Source: upstream 1.36
// apiserver/pkg/util/flowcontrol/fairqueuing/queueset.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "server/limits/work_estimate.h"
#include "tabernetes/time.h"

namespace tabernetes::server {

struct RequestQueue;

// A request in a QueueSet. It is expected to run for 3 ms.
struct SeatedRequest {
  WorkEstimate work;
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
  int seats_in_use = 0;
  // Of those that wait.
  int initial_seats = 0, seats = 0;
  SeatSeconds work = 0;
};

class QueueSet {
 public:
  enum class Turn {
    kRuns,     // it has waited, and may run now
    kTooWide,  // it would be next, but for the seats that it needs
  };
  // Calls `told` for each request whose turn it is. It must not call into this object.
  using Told = std::function<void(SeatedRequest&, Turn)>;
  QueueSet(Told told, Time now) : told_(std::move(told)), last_(now) {}

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
  int seats_in_use() const { return seats_in_use_; }
  int seats_waiting() const { return seats_waiting_; }
  // Returns the seats of the widest request that could run at once if it came now.
  int room() const;
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

  static constexpr Duration kService = Duration::from_milliseconds(3);  // of a request

 private:
  void move_to(Time now);
  // Returns whether there are seats for a request. One that is wider than the limit runs alone.
  bool accommodates(int seats) const;
  void enqueue(RequestQueue& queue, SeatedRequest& request);
  void note_left(RequestQueue& queue, const SeatedRequest& request);
  void note_running(SeatedRequest& request, int change);
  double speed() const;
  // Returns the index of a queue.
  std::size_t choose(std::uint64_t hash);
  void dispatch(Time now);
  bool dispatch_one(Time now);
  // Lets the first request of the queue run, if there are seats for it; `seen`: of all queues.
  bool run_first(std::size_t index, Dispatch seen, Time now);
  void remove_if_superfluous(RequestQueue* queue);

  const Told told_;
  Config config_;
  int seats_ = 0;
  std::vector<std::unique_ptr<RequestQueue>> queues_;
  std::vector<SeatedRequest*> without_queue_;
  SeatSeconds virtual_time_ = 0;
  Time last_;
  std::size_t turn_ = 0, enqueued_ = 0, last_queue_length_ = 0;
  int running_ = 0, waiting_ = 0, seats_in_use_ = 0, seats_waiting_ = 0;
  Dispatch dispatch_;
};

}  // namespace tabernetes::server

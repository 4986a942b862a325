#include "server/limits/queue_set.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "server/limits/shuffle_dealer.h"

namespace tabernetes::server {
namespace {

SeatSeconds work_of(const SeatedRequest& request) {
  return seats_for(request.work.initial_seats, QueueSet::kService) + request.work.final_work();
}

bool is_active(const RequestQueue& queue) {
  return !queue.waiting.empty() || !queue.running.empty();
}

// An idle queue saves nothing up: nothing starts before it has come.
void bound_next_dispatch(RequestQueue& queue) {
  if (queue.waiting.empty()) return;
  queue.next_dispatch = std::max(queue.next_dispatch, queue.waiting.front()->arrived_at);
}

QueueSet::Dispatch nothing_seen() {
  constexpr SeatSeconds kLowest = std::numeric_limits<SeatSeconds>::min();
  constexpr SeatSeconds kHighest = std::numeric_limits<SeatSeconds>::max();
  return {
      .least = kHighest, .most = kLowest, .discounted_least = kHighest, .discounted_most = kLowest};
}

// Takes a queue whose first request could run into account.
void see(const RequestQueue& queue, QueueSet::Dispatch& seen) {
  const SeatSeconds start = queue.next_dispatch;
  const SeatSeconds discounted = start - seats_for(queue.seats_in_use, QueueSet::kService);
  seen.least = std::min(seen.least, start);
  seen.most = std::max(seen.most, start);
  seen.discounted_least = std::min(seen.discounted_least, discounted);
  seen.discounted_most = std::max(seen.discounted_most, discounted);
}

}  // namespace

double QueueSet::speed() const {
  int active = 0;
  int wanted = 0;
  for (const auto& queue : queues_) {
    wanted += queue->seats_in_use + queue->seats;
    if (is_active(*queue)) ++active;
  }
  if (active == 0) return 0;
  return static_cast<double>(std::min(wanted, seats_)) / active;
}

void QueueSet::move_to(Time now) {
  if (!(last_ < now)) return;
  virtual_time_ += seats_for(speed(), now - last_);
  last_ = now;
}

void QueueSet::configure(const Config& config, int seats, Time now) {
  move_to(now);
  config_ = config;
  seats_ = seats;
  const std::size_t wanted =
      config.kind == Kind::kQueues ? static_cast<std::size_t>(config.queues) : 0;
  while (queues_.size() < wanted) queues_.push_back(std::make_unique<RequestQueue>());
  if (queues_.size() > wanted) {
    std::erase_if(queues_, [&, left = queues_.size() - wanted](const auto& queue) mutable {
      if (left == 0 || is_active(*queue)) return false;
      --left;
      return true;
    });
    turn_ = 0;
  }
  dispatch(now);
}

bool QueueSet::accommodates(int seats) const {
  if (config_.kind == Kind::kUnlimited) return true;
  if (seats > seats_) return running_ == 0;
  return seats_in_use_ + seats <= seats_;
}

int QueueSet::room() const {
  if (config_.kind == Kind::kUnlimited) return kMostSeats;
  if (waiting_ > 0 || (config_.kind == Kind::kQueues && seats_ <= 0)) return 0;
  return running_ == 0 ? kMostSeats : std::max(0, seats_ - seats_in_use_);
}

// Returns the queue of the hand with the least work that waits; of equals, the one whose turn it
// is.
std::size_t QueueSet::choose(std::uint64_t hash) {
  const std::vector<int> hand = deal_hand(hash, config_.queues, config_.hand_size);
  const std::size_t offset = enqueued_++ % hand.size();
  std::size_t best = 0;
  const RequestQueue* shortest = nullptr;
  for (std::size_t i = 0; i < hand.size(); ++i) {
    const auto index = static_cast<std::size_t>(hand[(offset + i) % hand.size()]);
    const RequestQueue& queue = *queues_[index];
    if (shortest != nullptr && queue.work >= shortest->work) continue;
    shortest = &queue;
    best = index;
  }
  return best;
}

QueueSet::Answer QueueSet::start(SeatedRequest& request, std::uint64_t hash, Time now) {
  move_to(now);
  request.arrived = now;
  request.arrived_at = virtual_time_;
  if (config_.kind != Kind::kQueues) {
    if (!accommodates(request.work.seats())) return Answer::kConcurrencyLimit;
    note_running(request, 1);
    request.place = SeatedRequest::Place::kRuns;
    request.started = now;
    without_queue_.push_back(&request);
    return Answer::kRuns;
  }
  const std::size_t index = choose(hash);
  RequestQueue& queue = *queues_[index];
  if (seats_in_use_ >= seats_ &&
      queue.waiting.size() >= static_cast<std::size_t>(config_.queue_length)) {
    return Answer::kQueueFull;
  }
  enqueue(queue, request);
  // This request's own turn is told by the answer. If it alone waits, no other queue is looked at.
  if (waiting_ == 1 && seats_in_use_ < seats_) {
    Dispatch seen = nothing_seen();
    see(queue, seen);
    run_first(index, seen, now);
  } else {
    dispatch(now);
  }
  return request.place == SeatedRequest::Place::kRuns ? Answer::kRuns : Answer::kWaits;
}

void QueueSet::enqueue(RequestQueue& queue, SeatedRequest& request) {
  if (!is_active(queue)) queue.next_dispatch = virtual_time_;
  request.queue = &queue;
  request.place = SeatedRequest::Place::kWaits;
  queue.waiting.push_back(&request);
  queue.initial_seats += request.work.initial_seats;
  queue.seats += request.work.seats();
  queue.work += work_of(request);
  ++waiting_;
  seats_waiting_ += request.work.seats();
  last_queue_length_ = queue.waiting.size();
  bound_next_dispatch(queue);
}

// Takes into account that a request no longer waits.
void QueueSet::note_left(RequestQueue& queue, const SeatedRequest& request) {
  queue.initial_seats -= request.work.initial_seats;
  queue.seats -= request.work.seats();
  queue.work -= work_of(request);
  --waiting_;
  seats_waiting_ -= request.work.seats();
}

void QueueSet::note_running(SeatedRequest& request, int change) {
  const int seats = change * request.work.seats();
  running_ += change;
  seats_in_use_ += seats;
  if (request.queue != nullptr) request.queue->seats_in_use += seats;
}

void QueueSet::dispatch(Time now) {
  while (waiting_ > 0 && seats_in_use_ < seats_ && dispatch_one(now)) {
  }
}

bool QueueSet::dispatch_one(Time now) {
  Dispatch seen = nothing_seen();
  // The queue whose first request would be done first.
  std::optional<SeatSeconds> best;
  std::size_t best_turn = 0;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    turn_ = (turn_ + 1) % queues_.size();
    const RequestQueue& queue = *queues_[turn_];
    if (queue.waiting.empty()) continue;
    see(queue, seen);
    const SeatSeconds done = queue.next_dispatch + work_of(*queue.waiting.front());
    if (best && done >= *best) continue;
    best = done;
    best_turn = turn_;
  }
  return best && run_first(best_turn, seen, now);
}

bool QueueSet::run_first(std::size_t index, Dispatch seen, Time now) {
  RequestQueue& queue = *queues_[index];
  SeatedRequest& request = *queue.waiting.front();
  if (!accommodates(request.work.seats())) {
    told_(request, Turn::kTooWide);
    return false;
  }
  turn_ = index;
  seen.at = virtual_time_;
  seen.start = queue.next_dispatch;
  dispatch_ = seen;
  queue.waiting.pop_front();
  queue.running.push_back(&request);
  note_left(queue, request);
  const SeatSeconds work = work_of(request);
  request.work.narrow(seats_);
  note_running(request, 1);
  request.place = SeatedRequest::Place::kRuns;
  request.started = now;
  queue.next_dispatch += work;
  bound_next_dispatch(queue);
  told_(request, Turn::kRuns);
  return true;
}

void QueueSet::finish(SeatedRequest& request, Time now) {
  move_to(now);
  note_running(request, -1);
  request.place = SeatedRequest::Place::kNowhere;
  if (request.queue == nullptr) {
    std::erase(without_queue_, &request);
  } else {
    RequestQueue& queue = *request.queue;
    std::erase(queue.running, &request);
    // What it has taken is now known.
    const int seats = request.work.initial_seats;
    queue.next_dispatch += seats_for(seats, now - request.started) - seats_for(seats, kService);
    bound_next_dispatch(queue);
    remove_if_superfluous(&queue);
    request.queue = nullptr;
  }
  dispatch(now);
}

void QueueSet::withdraw(SeatedRequest& request, Time now) {
  move_to(now);
  RequestQueue& queue = *request.queue;
  std::erase(queue.waiting, &request);
  note_left(queue, request);
  request.place = SeatedRequest::Place::kNowhere;
  request.queue = nullptr;
  bound_next_dispatch(queue);
}

void QueueSet::remove_if_superfluous(RequestQueue* queue) {
  const std::size_t wanted =
      config_.kind == Kind::kQueues ? static_cast<std::size_t>(config_.queues) : 0;
  if (queues_.size() <= wanted || is_active(*queue)) return;
  std::erase_if(queues_, [&](const auto& each) { return each.get() == queue; });
  turn_ = 0;
}

}  // namespace tabernetes::server

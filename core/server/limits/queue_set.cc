#include "server/limits/queue_set.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "server/limits/shuffle_dealer.h"

namespace tabernetes::server {
namespace {

SeatSeconds seats_for(double seats, Duration time) {
  constexpr double kNanoseconds = 1e9 / static_cast<double>(kSeatSecond);
  return static_cast<SeatSeconds>(
      std::llround(seats * static_cast<double>(time.nanoseconds) / kNanoseconds));
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
  const SeatSeconds discounted =
      start - static_cast<SeatSeconds>(queue.running.size()) * QueueSet::kWork;
  seen.least = std::min(seen.least, start);
  seen.most = std::max(seen.most, start);
  seen.discounted_least = std::min(seen.discounted_least, discounted);
  seen.discounted_most = std::max(seen.discounted_most, discounted);
}

}  // namespace

std::string seat_seconds_text(SeatSeconds work) {
  const bool negative = work < 0;
  const std::uint64_t size =
      negative ? 0 - static_cast<std::uint64_t>(work) : static_cast<std::uint64_t>(work);
  const auto unit = static_cast<std::uint64_t>(kSeatSecond);
  const std::string fraction = std::to_string(size % unit);
  return (negative ? "-" : "") + std::to_string(size / unit) + "." +
         std::string(8 - fraction.size(), '0') + fraction + "ss";
}

double QueueSet::speed() const {
  int active = 0;
  std::size_t wanted = 0;
  for (const auto& queue : queues_) {
    wanted += queue->running.size() + queue->waiting.size();
    if (is_active(*queue)) ++active;
  }
  if (active == 0) return 0;
  return std::min(static_cast<double>(wanted), static_cast<double>(seats_)) / active;
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

// Returns the queue of the hand with the least work; of equals, the one whose turn it is.
std::size_t QueueSet::choose(std::uint64_t hash) {
  const std::vector<int> hand = deal_hand(hash, config_.queues, config_.hand_size);
  const std::size_t offset = enqueued_++ % hand.size();
  std::size_t best = 0;
  const RequestQueue* shortest = nullptr;
  for (std::size_t i = 0; i < hand.size(); ++i) {
    const auto index = static_cast<std::size_t>(hand[(offset + i) % hand.size()]);
    const RequestQueue& queue = *queues_[index];
    if (shortest != nullptr && queue.waiting.size() >= shortest->waiting.size()) continue;
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
    // A level without seats still lets one run at a time.
    const bool fits = config_.kind == Kind::kUnlimited || running_ < std::max(seats_, 1);
    if (!fits) return Answer::kConcurrencyLimit;
    ++running_;
    request.place = SeatedRequest::Place::kRuns;
    request.started = now;
    without_queue_.push_back(&request);
    return Answer::kRuns;
  }
  const std::size_t index = choose(hash);
  RequestQueue& queue = *queues_[index];
  if (running_ >= seats_ &&
      queue.waiting.size() >= static_cast<std::size_t>(config_.queue_length)) {
    return Answer::kQueueFull;
  }
  if (!is_active(queue)) queue.next_dispatch = virtual_time_;
  request.queue = &queue;
  request.place = SeatedRequest::Place::kWaits;
  queue.waiting.push_back(&request);
  ++waiting_;
  last_queue_length_ = queue.waiting.size();
  bound_next_dispatch(queue);
  // This request's own turn is told by the answer. If it alone waits, no other queue is looked at.
  if (waiting_ == 1 && running_ < seats_) {
    Dispatch seen = nothing_seen();
    see(queue, seen);
    run_first(index, seen, now);
  } else {
    dispatch(now);
  }
  return request.place == SeatedRequest::Place::kRuns ? Answer::kRuns : Answer::kWaits;
}

void QueueSet::dispatch(Time now) {
  while (waiting_ > 0 && running_ < seats_ && dispatch_one(now)) {
  }
}

bool QueueSet::dispatch_one(Time now) {
  Dispatch seen = nothing_seen();
  const RequestQueue* best = nullptr;
  std::size_t best_turn = 0;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    turn_ = (turn_ + 1) % queues_.size();
    const RequestQueue& queue = *queues_[turn_];
    if (queue.waiting.empty()) continue;
    see(queue, seen);
    if (best != nullptr && queue.next_dispatch >= best->next_dispatch) continue;
    best = &queue;
    best_turn = turn_;
  }
  if (best == nullptr) return false;
  run_first(best_turn, seen, now);
  return true;
}

void QueueSet::run_first(std::size_t index, Dispatch seen, Time now) {
  turn_ = index;
  RequestQueue& queue = *queues_[index];
  seen.at = virtual_time_;
  seen.start = queue.next_dispatch;
  dispatch_ = seen;
  SeatedRequest& request = *queue.waiting.front();
  queue.waiting.pop_front();
  queue.running.push_back(&request);
  --waiting_;
  ++running_;
  request.place = SeatedRequest::Place::kRuns;
  request.started = now;
  queue.next_dispatch += kWork;
  bound_next_dispatch(queue);
  dispatched_(request);
}

void QueueSet::finish(SeatedRequest& request, Time now) {
  move_to(now);
  --running_;
  request.place = SeatedRequest::Place::kNowhere;
  if (request.queue == nullptr) {
    std::erase(without_queue_, &request);
  } else {
    RequestQueue& queue = *request.queue;
    std::erase(queue.running, &request);
    // What it has taken is now known.
    queue.next_dispatch += seats_for(1, now - request.started) - kWork;
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
  --waiting_;
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

#include "server/limits/priority_level.h"

#include <algorithm>
#include <cmath>

namespace tabernetes::server {

QueueSet::Config PriorityLevel::queue_config() const {
  if (spec.exempt) return {.kind = QueueSet::Kind::kUnlimited};
  if (spec.queues == 0) return {.kind = QueueSet::Kind::kRefuses};
  return {.kind = QueueSet::Kind::kQueues,
          .queues = spec.queues,
          .hand_size = spec.hand_size,
          .queue_length = spec.queue_length};
}

void PriorityLevel::set_seats(int wanted, int server_seats, Time now) {
  seats = wanted;
  queues.configure(queue_config(), seats, now);
  const double denominator =
      seats > 0 ? seats : std::max(1.0, std::round(static_cast<double>(server_seats) / 10));
  const double longest = std::max(1, spec.queue_length) * std::max(1, spec.queues);
  demand_ratio.set_denominator(denominator, now);
  seat_use.set_denominator(denominator, now);
  running_ratio.set_denominator(denominator, now);
  waiting_ratio.set_denominator(longest, now);
  note_change(now);
}

void PriorityLevel::note_change(Time now) {
  const int wanted = queues.seats_in_use() + queues.seats_waiting();
  demand.set(wanted, now);
  demand_ratio.set(wanted, now);
  seat_use.set(queues.seats_in_use(), now);
  running_ratio.set(queues.running(), now);
  waiting_ratio.set(queues.waiting(), now);
  load->room.store(queues.room(), std::memory_order_relaxed);
}

void PriorityLevel::note_demand(Time now) {
  constexpr double kSmoothing = 0.977;
  const Integrator::Results results = demand.take(now);
  known_demand.most = static_cast<int>(std::round(results.most));
  if (results.seconds <= 0) return;
  known_demand.average = results.average;
  known_demand.deviation = results.deviation;
  const double envelope = results.average + results.deviation;
  known_demand.smoothed =
      std::max(envelope, kSmoothing * known_demand.smoothed + (1 - kSmoothing) * envelope);
}

int PriorityLevel::needed() const {
  if (spec.exempt) return std::max(limits.least, known_demand.most);
  return std::max(limits.least, std::min(limits.nominal, known_demand.most));
}

void FlowCounts::forget() {
  answered_by_views->forget();
  dispatched = lacked_room = 0;
  refused.clear();
  for (Buckets* each :
       {&waited, &waited_in_vain, &ran, &watches_ran, &queue_lengths, &seats, &watches}) {
    each->clear();
  }
}

void PriorityLevel::forget_counts(Time now) {
  for (auto& [schema, counts] : flows) counts.forget();
  refused = withdrawn = 0;
  for (RatioOverTime* each : {&demand_ratio, &seat_use, &running_ratio, &waiting_ratio}) {
    each->begin_anew(now);
  }
}

}  // namespace tabernetes::server

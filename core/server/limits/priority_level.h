// A priority level at work: its queues, what is counted of it, and what it could use.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "server/limits/concurrency_shares.h"
#include "server/limits/flow_schemas.h"
#include "server/limits/measures.h"
#include "server/limits/queue_set.h"
#include "server/limits/retry_after.h"

namespace tabernetes::server {

// Upper ends of buckets. Source: upstream 1.36 apiserver/pkg/util/flowcontrol/metrics/metrics.go.
inline constexpr double kWaitEnds[] = {0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30};
inline constexpr double kQueueEnds[] = {0, 10, 25, 50, 100, 250, 500, 1000};
inline constexpr double kSeatEnds[] = {1, 2, 4, 8, 16, 32, 64, 100};
inline constexpr double kHearerEnds[] = {0, 1, 10, 100, 1000, 10000};
inline constexpr double kUseEnds[] = {0,   0.1, 0.2, 0.3,  0.4,  0.5, 0.6,
                                      0.7, 0.8, 0.9, 0.95, 0.99, 1};
inline constexpr double kRequestEnds[] = {0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1};
inline constexpr double kDemandEnds[] = {0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6};

enum class Refusal { kConcurrencyLimit, kQueueFull, kTimeOut };

// What is counted of a flow schema in a level.
struct FlowCounts {
  std::shared_ptr<AnsweredByViews> answered_by_views = std::make_shared<AnsweredByViews>();
  std::uint64_t dispatched = 0, lacked_room = 0;
  std::map<Refusal, std::uint64_t> refused;
  int running = 0, waiting = 0, running_seats = 0, waiting_seats = 0;
  Buckets waited{kWaitEnds}, waited_in_vain{kWaitEnds};  // seconds
  Buckets ran{kWaitEnds}, watches_ran{kWaitEnds};        // seconds
  Buckets queue_lengths{kQueueEnds}, seats{kSeatEnds}, watches{kHearerEnds};
  // The last flow and its hash, which is expensive to compute.
  std::optional<std::string> last_flow;
  std::uint64_t last_hash = 0;

  // Begins anew, but for what is in flight.
  void forget();
};

struct PriorityLevel {
  PriorityLevel(QueueSet::Told told, Time now)
      : queues(std::move(told), now),
        demand(now),
        demand_ratio(kDemandEnds, 1, now),
        seat_use(kUseEnds, 1, now),
        running_ratio(kRequestEnds, 1, now),
        waiting_ratio(kRequestEnds, 1, now) {}

  QueueSet::Config queue_config() const;
  // Sets the seats that it has at the moment. `server_seats` are those of all levels.
  void set_seats(int seats, int server_seats, Time now);
  // Notes that requests have come or gone.
  void note_change(Time now);
  // Begins to count anew, but for what is in flight.
  void forget_counts(Time now);
  // Takes what it could have used since the last call into account.
  void note_demand(Time now);
  // Returns the seats that it needs at least.
  int needed() const;

  LevelSpec spec;
  SeatLimits limits;
  int seats = 0;
  bool leaving = false;  // it is no longer stored, but has requests
  std::shared_ptr<LevelLoad> load = std::make_shared<LevelLoad>();
  QueueSet queues;
  std::map<std::string, FlowCounts, std::less<>> flows;  // by the name of the schema
  std::uint64_t refused = 0, withdrawn = 0;
  RetryAfter retry_after;

  Integrator demand;  // seats in use and wanted
  SeatDemand known_demand;
  double target = 0;
  RatioOverTime demand_ratio, seat_use, running_ratio, waiting_ratio;
};

}  // namespace tabernetes::server

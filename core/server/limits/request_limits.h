// The limits on requests in flight: by priority and fairness, or only of reads and writes. A
// request is in flight while it waits: for webhooks, versions, stores or on purpose. Source:
// upstream 1.36 apiserver/pkg/server/filters/{priority-and-fairness,maxinflight}.go.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "auth/authorizer.h"
#include "server/limits/measures.h"
#include "server/limits/priority_levels.h"
#include "server/pending/deadlines.h"

namespace tabernetes::server {

class RequestLimits;

inline constexpr double kReadWriteEnds[] = {0,   0.001, 0.01, 0.1, 0.2,  0.3,  0.4, 0.5,
                                            0.6, 0.7,   0.8,  0.9, 0.95, 0.99, 1};

// What is known of a request that has a ticket.
struct TicketDetails {
  std::string user, verb, path, ns, name, group, version, resource, subresource;
};

// A request at the limits: its place in a queue, then the seat that it has until it is answered.
class Ticket : public SeatedRequest {
 public:
  explicit Ticket(RequestLimits& limits) : limits_(limits) {}
  ~Ticket() { leave(); }
  Ticket(const Ticket&) = delete;
  Ticket& operator=(const Ticket&) = delete;

  // Gives the seat or the place back.
  void leave();

  enum class State { kNew, kWaits, kRuns, kRefused, kLeft };
  State state() const { return state_; }
  // Returns how long it waited or waits.
  Duration waited() const { return waited_; }
  // Returns the seconds that a refused client should wait.
  int retry_after() const { return retry_after_; }
  const TicketDetails& details() const { return details_; }
  std::string_view schema() const { return schema_; }
  const std::string& distinguisher() const { return distinguisher_; }

 private:
  friend class RequestLimits;

  RequestLimits& limits_;
  State state_ = State::kNew;
  bool writes_ = false, watches_ = false;
  bool counted_ = false;            // without priorities: it counts
  PriorityLevel* level_ = nullptr;  // null without priorities
  std::string_view schema_;
  std::string distinguisher_;
  FlowCounts* counts_ = nullptr;
  TicketDetails details_;
  Duration waited_;
  int retry_after_ = 1;
  std::optional<Deadlines::Handle> patience_;
};

class RequestLimits {
 public:
  struct Settings {
    bool by_priority = true;
    int reads = 400, writes = 200;  // 0: without limit, unless by priority
  };

  // REQUIRES: what is referred to outlives this object, or close() is called before.
  RequestLimits(Settings settings, const registry::ObjectReader& objects, Deadlines& deadlines,
                const Time& now);
  // From now on nothing waits or is given back.
  void close();

  const Settings& settings() const { return settings_; }
  // Returns how requests are classified; null if nothing is limited.
  std::shared_ptr<const FlowTable> table(const store::Store& store);
  void rewind(std::size_t position);

  struct Wish {
    const auth::Attributes& attributes;
    std::string_view path;
    Duration patience;  // how long it may wait in a queue
    WorkEstimate work = {};
    std::optional<int> watches = {};  // those that hear of a write; unset: it is none
  };
  // Lets a new request in, lets it wait, or refuses it. `flow`: of the table; null without
  // priorities.
  Ticket::State enter(Ticket& ticket, const Flow* flow, const Wish& wish);
  // Calls `resume` in run_ready() when a ticket that waits need not wait any longer.
  void when_ready(Ticket& ticket, std::function<void()> resume);
  // Resumes what need not wait any longer. Returns whether there was any.
  bool run_ready();

  // Begins to count anew, but for what is in flight.
  void forget_counts();

  // Counts an answer 429, whose request was refused.
  void note_termination(const auth::Attributes& attributes, bool applies);
  using Terminations =
      std::map<std::vector<std::pair<std::string_view, std::string>>, std::uint64_t>;
  const Terminations& terminations() const { return terminations_; }

  // For the metrics. `writes` or reads.
  int running(bool writes) const { return running_[writes]; }
  int waiting(bool writes) const { return waiting_[writes]; }
  const Buckets& running_ratio(bool writes) { return running_ratio_[writes].until(now_); }
  const Buckets& waiting_ratio(bool writes) { return waiting_ratio_[writes].until(now_); }
  PriorityLevels& levels() { return levels_; }

 private:
  friend class Ticket;

  Ticket::State enter_counted(Ticket& ticket, const Wish& wish);
  Ticket::State enter_level(Ticket& ticket, const Flow& flow, const Wish& wish);
  Ticket::State refuse(Ticket& ticket, PriorityLevel& level, Refusal why);
  void begin(Ticket& ticket);
  void leave(Ticket& ticket);
  void hear(Ticket& ticket, QueueSet::Turn turn);
  void give_up(Ticket& ticket);
  void arm_adjustment();
  void note_waiting(Ticket& ticket, int change);
  void note_running(Ticket& ticket, int change);

  const Settings settings_;
  Deadlines& deadlines_;
  const Time& now_;
  PriorityLevels levels_;
  std::shared_ptr<const FlowTable> plain_table_;  // without priorities
  std::shared_ptr<const FlowTable> shown_;        // the last one given away
  std::shared_ptr<LevelLoad> reads_;
  std::map<Ticket*, std::function<void()>> resumes_;
  std::vector<Ticket*> ready_;
  std::optional<Deadlines::Handle> adjustment_;
  bool closed_ = false;

  int running_[2] = {0, 0}, waiting_[2] = {0, 0};
  RatioOverTime running_ratio_[2], waiting_ratio_[2];
  Terminations terminations_;
};

}  // namespace tabernetes::server

#include "server/limits/request_limits.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/text/ascii.h"
#include "server/limits/shuffle_dealer.h"
#include "tabernetes/options.h"

namespace tabernetes::server {
namespace {

// The longest that a request waits. Source: upstream 1.36
// apiserver/pkg/server/filters/priority-and-fairness.go.
constexpr Duration kMostPatience = Duration::from_seconds(60);

bool is_write(std::string_view verb) { return verb != "get" && verb != "list" && verb != "watch"; }

TicketDetails details_of(const auth::Attributes& attributes, std::string_view path) {
  return {.user = attributes.user.name,
          .verb = std::string(attributes.verb),
          .path = std::string(path),
          .ns = std::string(attributes.ns),
          .name = std::string(attributes.name),
          .group = std::string(attributes.group),
          .version = std::string(attributes.version),
          .resource = std::string(attributes.resource),
          .subresource = std::string(attributes.subresource)};
}

std::string distinguisher_of(FlowSchemaSpec::Flows flows, const auth::Attributes& attributes) {
  using Flows = FlowSchemaSpec::Flows;
  if (flows == Flows::kByUser) return attributes.user.name;
  return flows == Flows::kByNamespace ? std::string(attributes.ns) : std::string();
}

std::uint64_t hash_of(FlowCounts& counts, std::string_view schema, const std::string& flow) {
  if (counts.last_flow != flow) {
    counts.last_hash = flow_hash(schema, flow);
    counts.last_flow = flow;
  }
  return counts.last_hash;
}

std::string scope_of(const auth::Attributes& attributes) {
  if (!attributes.on_resource) return {};
  if (!attributes.name.empty() || attributes.verb == "create") return "resource";
  return attributes.ns.empty() ? "cluster" : "namespace";
}

// Returns the verb of the metrics: the method, or what it means.
std::string counted_verb_of(const auth::Attributes& attributes, bool applies) {
  static constexpr std::pair<std::string_view, std::string_view> kVerbs[] = {
      {"create", "POST"},
      {"update", "PUT"},
      {"patch", "PATCH"},
      {"delete", "DELETE"},
      {"deletecollection", "DELETE"},
  };
  if (applies) return "APPLY";
  for (const auto& [verb, method] : kVerbs) {
    if (verb == attributes.verb) return std::string(method);
  }
  std::string verb;
  for (const char c : attributes.verb) verb += ascii_upper(c);
  return verb;
}

}  // namespace

void Ticket::leave() { limits_.leave(*this); }

RequestLimits::RequestLimits(Settings settings, const registry::ObjectReader& objects,
                             Deadlines& deadlines, const Time& now)
    : settings_(settings),
      deadlines_(deadlines),
      now_(now),
      levels_(
          settings.reads + settings.writes, objects,
          [this](SeatedRequest& request, QueueSet::Turn turn) {
            hear(static_cast<Ticket&>(request), turn);
          },
          now),
      running_ratio_{RatioOverTime(kReadWriteEnds, std::max(1, settings.reads), now),
                     RatioOverTime(kReadWriteEnds, std::max(1, settings.writes), now)},
      waiting_ratio_{RatioOverTime(kReadWriteEnds, 1, now), RatioOverTime(kReadWriteEnds, 1, now)} {
  if (settings_.by_priority || (settings_.reads == 0 && settings_.writes == 0)) return;
  auto table = std::make_shared<FlowTable>();
  table->by_priority = false;
  if (settings_.reads != 0) table->reads = reads_ = std::make_shared<LevelLoad>();
  plain_table_ = std::move(table);
}

void RequestLimits::close() {
  closed_ = true;
  ready_.clear();
  const auto resumes = std::exchange(resumes_, {});
}

std::shared_ptr<const FlowTable> RequestLimits::table(const store::Store& store) {
  if (!settings_.by_priority) return plain_table_;
  std::shared_ptr<const FlowTable> table = levels_.current(store, now_);
  if (table == shown_) return table;
  shown_ = table;
  for (const bool writes : {false, true}) {
    running_ratio_[writes].set_denominator(std::max(1, levels_.nominal_seats()), now_);
    waiting_ratio_[writes].set_denominator(std::max(1, levels_.queue_places()), now_);
  }
  return table;
}

void RequestLimits::forget_counts() {
  levels_.forget_counts(now_);
  for (const bool writes : {false, true}) {
    running_ratio_[writes].begin_anew(now_);
    waiting_ratio_[writes].begin_anew(now_);
  }
  terminations_.clear();
}

void RequestLimits::rewind(std::size_t position) { levels_.rewind(position); }

Ticket::State RequestLimits::enter(Ticket& ticket, const Flow* flow, const Wish& wish) {
  if (ticket.state_ != Ticket::State::kNew || closed_) return ticket.state_;
  ticket.writes_ = is_write(wish.attributes.verb);
  ticket.watches_ = wish.attributes.verb == "watch";
  if (flow == nullptr) return enter_counted(ticket, wish);
  ticket.details_ = details_of(wish.attributes, wish.path);
  return enter_level(ticket, *flow, wish);
}

Ticket::State RequestLimits::enter_counted(Ticket& ticket, const Wish& wish) {
  const int most = ticket.writes_ ? settings_.writes : settings_.reads;
  const std::vector<std::string>& groups = wish.attributes.user.groups;
  if (most != 0 && running_[ticket.writes_] >= most) {
    // Who may do everything gets an answer.
    const bool master = std::find(groups.begin(), groups.end(), "system:masters") != groups.end();
    return ticket.state_ = master ? Ticket::State::kRuns : Ticket::State::kRefused;
  }
  ticket.state_ = Ticket::State::kRuns;
  ticket.counted_ = most != 0;
  if (ticket.counted_) note_running(ticket, 1);
  return ticket.state_;
}

Ticket::State RequestLimits::enter_level(Ticket& ticket, const Flow& flow, const Wish& wish) {
  levels_.adjust(now_);
  PriorityLevel& level = levels_.level(flow.level.name);
  const auto counts = level.flows.find(flow.schema.name);
  ticket.level_ = &level;
  ticket.schema_ = counts->first;
  ticket.counts_ = &counts->second;
  std::uint64_t hash = 0;
  if (level.spec.queues > 1) {
    ticket.distinguisher_ = distinguisher_of(flow.schema.flows, wish.attributes);
    hash = hash_of(*ticket.counts_, ticket.schema_, ticket.distinguisher_);
  }
  ticket.work = wish.work;
  ticket.counts_->seats.add(wish.work.seats());
  if (wish.watches) ticket.counts_->watches.add(*wish.watches);
  const QueueSet::Answer answer = level.queues.start(ticket, hash, now_);
  if (answer == QueueSet::Answer::kConcurrencyLimit) {
    return refuse(ticket, level, Refusal::kConcurrencyLimit);
  }
  if (answer == QueueSet::Answer::kQueueFull) return refuse(ticket, level, Refusal::kQueueFull);
  if (level.spec.queues > 0) {
    ticket.counts_->queue_lengths.add(static_cast<double>(level.queues.last_queue_length()));
  }
  level.note_change(now_);
  if (answer == QueueSet::Answer::kRuns) {
    begin(ticket);
    return ticket.state_;
  }
  ticket.state_ = Ticket::State::kWaits;
  note_waiting(ticket, 1);
  const Duration patience = std::min(wish.patience, kMostPatience);
  ticket.patience_ = deadlines_.add(now_ + patience, [this, &ticket] {
    ticket.patience_.reset();
    give_up(ticket);
  });
  arm_adjustment();
  return ticket.state_;
}

Ticket::State RequestLimits::refuse(Ticket& ticket, PriorityLevel& level, Refusal why) {
  ++level.refused;
  ++ticket.counts_->refused[why];
  level.retry_after.note(now_);
  ticket.retry_after_ = level.retry_after.seconds();
  return ticket.state_ = Ticket::State::kRefused;
}

// Counts that the request runs from now on.
void RequestLimits::begin(Ticket& ticket) {
  ticket.state_ = Ticket::State::kRuns;
  ticket.waited_ = now_ - ticket.arrived;
  ++ticket.counts_->dispatched;
  if (!ticket.level_->spec.exempt) {
    ticket.counts_->waited.add(ticket.waited_.seconds());
  }
  note_running(ticket, 1);
}

// Called by a level's queues. The ticket that has only just come learns it by their answer.
void RequestLimits::hear(Ticket& ticket, QueueSet::Turn turn) {
  if (turn == QueueSet::Turn::kTooWide) {
    ++ticket.counts_->lacked_room;
    return;
  }
  if (ticket.state_ != Ticket::State::kWaits) return;
  if (ticket.patience_) deadlines_.cancel(*std::exchange(ticket.patience_, std::nullopt));
  note_waiting(ticket, -1);
  begin(ticket);
  ready_.push_back(&ticket);
}

// Refuses a request that has waited too long.
void RequestLimits::give_up(Ticket& ticket) {
  PriorityLevel& level = *ticket.level_;
  level.queues.withdraw(ticket, now_);
  level.note_change(now_);
  note_waiting(ticket, -1);
  ++level.withdrawn;
  ticket.waited_ = now_ - ticket.arrived;
  ticket.counts_->waited_in_vain.add(ticket.waited_.seconds());
  refuse(ticket, level, Refusal::kTimeOut);
  ready_.push_back(&ticket);
}

void RequestLimits::leave(Ticket& ticket) {
  const Ticket::State state = std::exchange(ticket.state_, Ticket::State::kLeft);
  if (closed_ || state == Ticket::State::kLeft || state == Ticket::State::kNew) return;
  std::erase(ready_, &ticket);
  resumes_.erase(&ticket);
  if (ticket.level_ == nullptr) {
    if (ticket.counted_) note_running(ticket, -1);
    return;
  }
  if (state == Ticket::State::kRefused) return;
  levels_.adjust(now_);
  PriorityLevel& level = *ticket.level_;
  if (state == Ticket::State::kWaits) {
    if (ticket.patience_) deadlines_.cancel(*std::exchange(ticket.patience_, std::nullopt));
    note_waiting(ticket, -1);
    level.queues.withdraw(ticket, now_);
  } else {
    note_running(ticket, -1);
    Buckets& ran = ticket.watches_ ? ticket.counts_->watches_ran : ticket.counts_->ran;
    ran.add((now_ - ticket.started).seconds());
    level.queues.finish(ticket, now_);
  }
  level.note_change(now_);
  if (level.leaving) levels_.drop_if_left(level.spec.name);
}

// Seats may become free by lending.
void RequestLimits::arm_adjustment() {
  if (adjustment_) return;
  adjustment_ = deadlines_.add(levels_.next_adjustment(), [this] {
    adjustment_.reset();
    levels_.adjust(now_);
    if (waiting_[0] + waiting_[1] > 0) arm_adjustment();
  });
}

void RequestLimits::note_waiting(Ticket& ticket, int change) {
  ticket.counts_->waiting += change;
  ticket.counts_->waiting_seats += change * ticket.work.seats();
  waiting_[ticket.writes_] += change;
  waiting_ratio_[ticket.writes_].set(waiting_[ticket.writes_], now_);
}

void RequestLimits::note_running(Ticket& ticket, int change) {
  if (ticket.counts_ != nullptr) {
    ticket.counts_->running += change;
    ticket.counts_->running_seats += change * ticket.work.seats();
  }
  running_[ticket.writes_] += change;
  running_ratio_[ticket.writes_].set(running_[ticket.writes_], now_);
  if (reads_) {
    const int left = std::max(0, settings_.reads - running_[0]);
    reads_->room.store(std::min(left, kMostSeats), std::memory_order_relaxed);
  }
}

void RequestLimits::when_ready(Ticket& ticket, std::function<void()> resume) {
  resumes_[&ticket] = std::move(resume);
}

bool RequestLimits::run_ready() {
  if (ready_.empty()) return false;
  while (!ready_.empty()) {
    Ticket* const ticket = ready_.front();
    ready_.erase(ready_.begin());
    const auto found = resumes_.find(ticket);
    if (found == resumes_.end()) continue;
    const std::function<void()> resume = std::move(found->second);
    resumes_.erase(found);
    resume();
  }
  return true;
}

void RequestLimits::note_termination(const auth::Attributes& attributes, bool applies) {
  const bool on_resource = attributes.on_resource;
  ++terminations_[{
      {"code", "429"},
      {"component", "apiserver"},
      {"group", std::string(attributes.group)},
      {"resource", std::string(attributes.resource)},
      {"scope", scope_of(attributes)},
      {"subresource", std::string(on_resource ? attributes.subresource : attributes.path)},
      {"verb", counted_verb_of(attributes, applies)},
      {"version", std::string(attributes.version)}}];
}

}  // namespace tabernetes::server

namespace tabernetes {

Expected<void> check_limits(bool priority_and_fairness, int requests, int mutating_requests) {
  if (requests < 0 || mutating_requests < 0) return Fault{"can not be negative value"};
  if (!priority_and_fairness || requests + mutating_requests > 0) return {};
  return Fault{"invalid configuration: MaxRequestsInFlight=" + std::to_string(requests) +
               " and MaxMutatingRequestsInFlight=" + std::to_string(mutating_requests) +
               "; they must add up to something positive"};
}

}  // namespace tabernetes

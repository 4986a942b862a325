#include "server/limits/limit_metrics.h"

#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "server/limits/limit_dumps.h"

namespace tabernetes::server {
namespace {

std::string kind_name(bool writes) { return writes ? "mutating" : "readOnly"; }

// Writes the samples of a histogram, without its head.
void write_buckets(PrometheusText& page, const Labels& labels, const Buckets& buckets) {
  std::uint64_t so_far = 0;
  for (std::size_t i = 0; i < buckets.counts().size(); ++i) {
    so_far += buckets.counts()[i];
    Labels with_end = labels;
    const double end = i < buckets.ends().size() ? buckets.ends()[i] : INFINITY;
    with_end.emplace_back("le", prometheus_number(end));
    page.sample("_bucket", with_end, static_cast<double>(so_far));
  }
  page.sample("_sum", labels, buckets.sum());
  page.sample("_count", labels, static_cast<double>(buckets.count()));
}

// All flows, level by level.
class FlowMetrics {
 public:
  FlowMetrics(PrometheusText& page, const PriorityLevels& levels) : page_(page), levels_(levels) {}

  using Number = double (*)(const FlowCounts&);
  void write(std::string_view name, std::string_view type, std::string_view help, Number number) {
    begin(name, type, help);
    each([&](const Labels& labels, const PriorityLevel&, const FlowCounts& counts) {
      sample(labels, number(counts));
    });
  }

  void write_without_room() {
    begin("apiserver_flowcontrol_request_dispatch_no_accommodation_total", "counter",
          "[ALPHA] Times at which the next request needed more seats than there were.");
    each([&](const Labels& labels, const PriorityLevel&, const FlowCounts& counts) {
      if (counts.lacked_room > 0) sample(labels, static_cast<double>(counts.lacked_room));
    });
  }

  void write_refused() {
    begin("apiserver_flowcontrol_rejected_requests_total", "counter",
          "[BETA] Requests refused, by why.");
    static constexpr std::pair<Refusal, std::string_view> kReasons[] = {
        {Refusal::kConcurrencyLimit, "concurrency-limit"},
        {Refusal::kQueueFull, "queue-full"},
        {Refusal::kTimeOut, "time-out"}};
    each([&](const Labels& labels, const PriorityLevel&, const FlowCounts& counts) {
      for (const auto& [why, reason] : kReasons) {
        const auto found = counts.refused.find(why);
        if (found == counts.refused.end()) continue;
        Labels with_reason = labels;
        with_reason.emplace_back("reason", reason);
        sample(with_reason, static_cast<double>(found->second));
      }
    });
  }

  void write_times() {
    begin("apiserver_flowcontrol_request_execution_seconds", "histogram",
          "[BETA] How long requests ran, watches until they had begun; in the cluster's time.");
    each([&](const Labels& labels, const PriorityLevel&, const FlowCounts& counts) {
      for (const bool watches : {false, true}) {
        Buckets ran = watches ? counts.watches_ran : counts.ran;
        if (!watches) add_views(ran, 0, counts);
        if (ran.count() == 0) continue;
        Labels with_type = labels;
        with_type.emplace_back("type", watches ? "watch" : "regular");
        buckets(with_type, ran);
      }
    });
    begin("apiserver_flowcontrol_request_wait_duration_seconds", "histogram",
          "[BETA] How long requests waited in a queue, in the cluster's time.");
    each([&](const Labels& labels, const PriorityLevel& level, const FlowCounts& counts) {
      for (const bool in_vain : {true, false}) {
        Buckets waited = in_vain ? counts.waited_in_vain : counts.waited;
        if (!in_vain && !level.spec.exempt) add_views(waited, 0, counts);
        if (waited.count() == 0) continue;
        Labels with_execute = {{"execute", in_vain ? "false" : "true"}};
        with_execute.insert(with_execute.end(), labels.begin(), labels.end());
        buckets(with_execute, waited);
      }
    });
  }

  void write_sizes() {
    begin("apiserver_flowcontrol_request_queue_length_after_enqueue", "histogram",
          "[BETA] Length of a queue when a request has joined it.");
    each([&](const Labels& labels, const PriorityLevel& level, const FlowCounts& counts) {
      Buckets lengths = counts.queue_lengths;
      if (level.spec.queues > 0) add_views(lengths, 1, counts);
      if (lengths.count() > 0) buckets(labels, lengths);
    });
    begin("apiserver_flowcontrol_work_estimated_seats", "histogram",
          "[ALPHA] Seats that requests were expected to need.");
    each([&](const Labels& labels, const PriorityLevel&, const FlowCounts& counts) {
      Buckets seats = counts.seats;
      for (int width = 1; width <= kMostSeats; ++width) {
        const std::uint64_t times = counts.answered_by_views->with(width);
        if (times > 0) seats.add(width, times);
      }
      if (seats.count() > 0) buckets(labels, seats);
    });
    begin("apiserver_flowcontrol_watch_count_samples", "histogram",
          "[ALPHA] Watches that were to hear of a write.");
    each([&](const Labels& labels, const PriorityLevel&, const FlowCounts& counts) {
      Buckets watches = counts.watches;
      const std::uint64_t unheard = counts.answered_by_views->unheard_writes();
      if (unheard > 0) watches.add(0, unheard);
      if (watches.count() > 0) buckets(labels, watches);
    });
  }

 private:
  using Visit = std::function<void(const Labels&, const PriorityLevel&, const FlowCounts&)>;

  void each(const Visit& visit) const {
    for (const auto& [name, level] : levels_.levels()) {
      for (const auto& [schema, counts] : level->flows) {
        const bool known =
            dispatched_of(counts) > 0 || !counts.refused.empty() || counts.waiting > 0;
        if (known) visit({{"flow_schema", schema}, {"priority_level", name}}, *level, counts);
      }
    }
  }
  static void add_views(Buckets& buckets, double value, const FlowCounts& counts) {
    const std::uint64_t times = counts.answered_by_views->count();
    if (times > 0) buckets.add(value, times);
  }

  // The head of a family is written with its first sample.
  void begin(std::string_view name, std::string_view type, std::string_view help) {
    head_ = [this, name, type, help] { page_.family(name, type, help); };
  }
  void sample(const Labels& labels, double value) {
    write_head();
    page_.sample(labels, value);
  }
  void buckets(const Labels& labels, const Buckets& buckets) {
    write_head();
    write_buckets(page_, labels, buckets);
  }
  void write_head() {
    if (head_) std::exchange(head_, nullptr)();
  }

  PrometheusText& page_;
  const PriorityLevels& levels_;
  std::function<void()> head_;
};

void write_flows(PrometheusText& page, const PriorityLevels& levels) {
  FlowMetrics flows(page, levels);
  const auto running = [](const FlowCounts& counts) { return static_cast<double>(counts.running); };
  const auto waiting = [](const FlowCounts& counts) { return static_cast<double>(counts.waiting); };
  const auto running_seats = [](const FlowCounts& counts) {
    return static_cast<double>(counts.running_seats);
  };
  const auto waiting_seats = [](const FlowCounts& counts) {
    return static_cast<double>(counts.waiting_seats);
  };
  flows.write("apiserver_flowcontrol_current_executing_requests", "gauge",
              "[BETA] Requests that run, by schema.", running);
  flows.write("apiserver_flowcontrol_current_executing_seats", "gauge",
              "[BETA] Seats in use, by schema.", running_seats);
  flows.write("apiserver_flowcontrol_current_inqueue_requests", "gauge",
              "[BETA] Requests that wait in queues, by schema.", waiting);
  flows.write("apiserver_flowcontrol_current_inqueue_seats", "gauge",
              "[ALPHA] Seats that requests in queues wait for, by schema.", waiting_seats);
  flows.write("apiserver_flowcontrol_dispatched_requests_total", "counter",
              "[BETA] Requests let in, by schema.",
              [](const FlowCounts& counts) { return static_cast<double>(dispatched_of(counts)); });
  flows.write_without_room();
  flows.write_refused();
  flows.write_times();
  flows.write_sizes();
}

using LevelNumber = double (*)(const PriorityLevel&);
struct LevelGauge {
  std::string_view name, help;
  LevelNumber number;
};

double seat_seconds(SeatSeconds work) {
  return static_cast<double>(work) / static_cast<double>(kSeatSecond);
}

constexpr LevelGauge kLevelGauges[] = {
    {"apiserver_flowcontrol_current_limit_seats", "[ALPHA] Seats that a level has at the moment.",
     [](const PriorityLevel& level) -> double { return level.seats; }},
    {"apiserver_flowcontrol_current_r", "[ALPHA] Virtual time of a level's queues.",
     [](const PriorityLevel& level) { return seat_seconds(level.queues.virtual_time()); }},
    {"apiserver_flowcontrol_demand_seats_average",
     "[ALPHA] Average of the seats in use and wanted, in the last period of lending.",
     [](const PriorityLevel& level) { return level.known_demand.average; }},
    {"apiserver_flowcontrol_demand_seats_high_watermark",
     "[ALPHA] Most seats in use and wanted, in the last period of lending.",
     [](const PriorityLevel& level) -> double { return level.known_demand.most; }},
    {"apiserver_flowcontrol_demand_seats_smoothed", "[ALPHA] Demand over several periods.",
     [](const PriorityLevel& level) { return level.known_demand.smoothed; }},
    {"apiserver_flowcontrol_demand_seats_stdev",
     "[ALPHA] Deviation of the seats in use and wanted, in the last period of lending.",
     [](const PriorityLevel& level) { return level.known_demand.deviation; }},
    {"apiserver_flowcontrol_dispatch_r", "[ALPHA] Virtual time of the last request from a queue.",
     [](const PriorityLevel& level) { return seat_seconds(level.queues.last_dispatch().at); }},
    {"apiserver_flowcontrol_latest_s", "[ALPHA] Start time of the last request from a queue.",
     [](const PriorityLevel& level) { return seat_seconds(level.queues.last_dispatch().start); }},
    {"apiserver_flowcontrol_lower_limit_seats", "[ALPHA] Seats that a level does not lend.",
     [](const PriorityLevel& level) -> double { return level.limits.least; }},
    {"apiserver_flowcontrol_nominal_limit_seats", "[BETA] Seats of a level by its shares.",
     [](const PriorityLevel& level) -> double { return level.limits.nominal; }},
    {"apiserver_flowcontrol_target_seats", "[ALPHA] Seats that a level should have.",
     [](const PriorityLevel& level) { return level.target; }},
    {"apiserver_flowcontrol_upper_limit_seats",
     "[ALPHA] Seats of a level with all that it may borrow.",
     [](const PriorityLevel& level) -> double { return level.limits.most; }},
};

// Writes the least and greatest start time in the queues when the last request left one.
void write_bounds(PrometheusText& page, const PriorityLevels& levels, std::string_view name,
                  std::string_view help, SeatSeconds QueueSet::Dispatch::*least,
                  SeatSeconds QueueSet::Dispatch::*most) {
  page.family(name, "gauge", help);
  for (const auto& [level_name, level] : levels.levels()) {
    const QueueSet::Dispatch& last = level->queues.last_dispatch();
    page.sample({{"bound", "max"}, {"priority_level", level_name}}, seat_seconds(last.*most));
    page.sample({{"bound", "min"}, {"priority_level", level_name}}, seat_seconds(last.*least));
  }
}

void write_ratios(PrometheusText& page, PriorityLevels& levels, Time now) {
  page.family("apiserver_flowcontrol_demand_seats", "histogram",
              "[ALPHA] Nanoseconds by the seats in use and wanted, as a part of those there are.");
  for (const auto& [name, level] : levels.levels()) {
    write_buckets(page, {{"priority_level", name}}, level->demand_ratio.until(now));
  }
  page.family("apiserver_flowcontrol_priority_level_request_utilization", "histogram",
              "[ALPHA] Nanoseconds by the requests in a level, as a part of their limit.");
  for (const auto& [name, level] : levels.levels()) {
    const auto labels = [&, &name = name](std::string phase) {
      return Labels{{"phase", std::move(phase)}, {"priority_level", name}};
    };
    write_buckets(page, labels("executing"), level->running_ratio.until(now));
    write_buckets(page, labels("waiting"), level->waiting_ratio.until(now));
  }
  page.family("apiserver_flowcontrol_priority_level_seat_utilization", "histogram",
              "[ALPHA] Nanoseconds by the seats in use, as a part of those there are.");
  for (const auto& [name, level] : levels.levels()) {
    write_buckets(page, {{"phase", "executing"}, {"priority_level", name}},
                  level->seat_use.until(now));
  }
}

void write_levels(PrometheusText& page, PriorityLevels& levels, Time now) {
  using Dispatch = QueueSet::Dispatch;
  for (const LevelGauge& gauge : kLevelGauges) {
    page.family(gauge.name, "gauge", gauge.help);
    for (const auto& [name, level] : levels.levels()) {
      page.sample({{"priority_level", name}}, gauge.number(*level));
    }
  }
  write_bounds(page, levels, "apiserver_flowcontrol_next_s_bounds",
               "[ALPHA] Least and greatest start time in the queues.", &Dispatch::least,
               &Dispatch::most);
  write_bounds(page, levels, "apiserver_flowcontrol_next_discounted_s_bounds",
               "[ALPHA] The same, less the work under way.", &Dispatch::discounted_least,
               &Dispatch::discounted_most);
  write_ratios(page, levels, now);
}

void write_reads_and_writes(PrometheusText& page, RequestLimits& limits) {
  const bool queues = limits.settings().by_priority;
  page.family("apiserver_current_inflight_requests", "gauge",
              "[STABLE] Requests that run, reads and writes.");
  for (const bool writes : {true, false}) {
    page.sample({{"request_kind", kind_name(writes)}}, limits.running(writes));
  }
  if (queues) {
    page.family("apiserver_current_inqueue_requests", "gauge",
                "[ALPHA] Requests that wait in queues, reads and writes.");
    for (const bool writes : {true, false}) {
      page.sample({{"request_kind", kind_name(writes)}}, limits.waiting(writes));
    }
  }
  page.family("apiserver_flowcontrol_read_vs_write_current_requests", "histogram",
              "[ALPHA] Nanoseconds by the reads and writes, as a part of their limit.");
  for (const bool writes : {true, false}) {
    write_buckets(page, {{"phase", "executing"}, {"request_kind", kind_name(writes)}},
                  limits.running_ratio(writes));
  }
  if (!queues) return;
  for (const bool writes : {true, false}) {
    write_buckets(page, {{"phase", "waiting"}, {"request_kind", kind_name(writes)}},
                  limits.waiting_ratio(writes));
  }
}

}  // namespace

void write_limits(PrometheusText& page, RequestLimits& limits, Time now) {
  const RequestLimits::Settings& settings = limits.settings();
  page.family("apiserver_flowcontrol_seat_fair_frac", "gauge",
              "[ALPHA] Fraction of its target that each level gets.");
  page.sample({}, settings.by_priority ? limits.levels().fair_fraction() : 0);
  if (!limits.terminations().empty()) {
    page.family("apiserver_request_terminations_total", "counter",
                "[ALPHA] Requests that were ended to protect the server.");
    for (const auto& [labels, count] : limits.terminations()) {
      page.sample(labels, static_cast<double>(count));
    }
  }
  if (!settings.by_priority && settings.reads == 0 && settings.writes == 0) return;
  write_reads_and_writes(page, limits);
  if (!settings.by_priority) return;
  write_flows(page, limits.levels());
  write_levels(page, limits.levels(), now);
}

}  // namespace tabernetes::server

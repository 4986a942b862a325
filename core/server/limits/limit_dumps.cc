#include "server/limits/limit_dumps.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/go/duration.h"
#include "base/time/rfc3339.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kPrefix = "/debug/api_priority_and_fairness/";

using Row = std::vector<std::string>;

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

// Returns rows with a comma after every cell but the last, and the cells of a column below each
// other, as Go's text/tabwriter sets them.
std::string table_of(const std::vector<Row>& rows) {
  constexpr std::size_t kLeastWidth = 8;
  std::vector<std::size_t> widths(rows.front().size(), kLeastWidth);
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      widths[i] = std::max(widths[i], code_points(row[i]) + 2);
    }
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text.append(row[i]).append(",").append(widths[i] - code_points(row[i]) - 1, ' ');
    }
    text.append(row.back()).append("\n");
  }
  return text;
}

// Formats with as many digits of the fraction as it has, as Go's RFC3339Nano.
std::string nano_text(Time time) {
  std::string text = format_rfc3339(time);
  std::int64_t fraction = time.unix_nanoseconds % 1'000'000'000;
  if (fraction < 0) fraction += 1'000'000'000;
  if (fraction == 0) return text;
  std::string digits = std::to_string(fraction);
  digits.insert(0, 9 - digits.size(), '0');
  digits.erase(digits.find_last_not_of('0') + 1);
  return text.insert(text.size() - 1, "." + digits);
}

std::string yes(bool value) { return value ? "true" : "false"; }

std::string levels_page(const PriorityLevels& levels) {
  std::vector<Row> rows = {{"PriorityLevelName", "ActiveQueues", "IsIdle", "IsQuiescing",
                            "WaitingRequests", "ExecutingRequests", "DispatchedRequests",
                            "RejectedRequests", "TimedoutRequests", "CancelledRequests"}};
  for (const auto& [name, level] : levels.levels()) {
    const QueueSet& queues = level->queues;
    const auto active = std::count_if(queues.queues().begin(), queues.queues().end(),
                                      [](const auto& queue) { return !queue->waiting.empty(); });
    std::uint64_t dispatched = 0;
    for (const auto& [schema, counts] : level->flows) dispatched += dispatched_of(counts);
    rows.push_back({name, std::to_string(active), yes(queues.idle()), yes(level->leaving),
                    std::to_string(queues.waiting()), std::to_string(queues.running()),
                    std::to_string(dispatched), std::to_string(level->refused), "0",
                    std::to_string(level->withdrawn)});
  }
  return table_of(rows);
}

std::string queues_page(const PriorityLevels& levels) {
  std::vector<Row> rows = {{"PriorityLevelName", "Index", "PendingRequests", "ExecutingRequests",
                            "SeatsInUse", "NextDispatchR", "InitialSeatsSum", "MaxSeatsSum",
                            "TotalWorkSum"}};
  for (const auto& [name, level] : levels.levels()) {
    int index = 0;
    for (const auto& queue : level->queues.queues()) {
      const std::string waiting = std::to_string(queue->waiting.size());
      const std::string running = std::to_string(queue->running.size());
      rows.push_back({name, std::to_string(index++), waiting, running,
                      std::to_string(queue->seats_in_use), seat_seconds_text(queue->next_dispatch),
                      std::to_string(queue->initial_seats), std::to_string(queue->seats),
                      seat_seconds_text(queue->work)});
    }
  }
  return table_of(rows);
}

// Writes the rows of requests.
class RequestsPage {
 public:
  explicit RequestsPage(bool details) : details_(details) {
    Row head = {"PriorityLevelName", "FlowSchemaName", "QueueIndex",   "RequestIndexInQueue",
                "FlowDistingsher",   "ArriveTime",     "InitialSeats", "FinalSeats",
                "AdditionalLatency", "StartTime"};
    if (details) {
      head.insert(head.end(), {"UserName", "Verb", "APIPath", "Namespace", "Name", "APIVersion",
                               "Resource", "SubResource"});
    }
    rows_.push_back(std::move(head));
  }

  void add(const std::string& level, const QueueSet& queues) {
    int index = 0;
    for (const auto& queue : queues.queues()) {
      int place = 0;
      for (const SeatedRequest* each : queue->waiting) add(level, index, place++, *each);
      for (const SeatedRequest* each : queue->running) add(level, index, -1, *each);
      ++index;
    }
    for (const SeatedRequest* each : queues.without_queue()) add(level, -1, -1, *each);
  }
  std::string text() const { return table_of(rows_); }

 private:
  void add(const std::string& level, int queue, int place, const SeatedRequest& request) {
    const auto& ticket = static_cast<const Ticket&>(request);
    const bool runs = request.place == SeatedRequest::Place::kRuns;
    Row row = {level,
               std::string(ticket.schema()),
               std::to_string(queue),
               std::to_string(place),
               ticket.distinguisher(),
               nano_text(ticket.arrived),
               std::to_string(ticket.work.initial_seats),
               std::to_string(ticket.work.final_seats),
               go_duration_text(ticket.work.afterwards),
               runs ? nano_text(ticket.started) : "0001-01-01T00:00:00Z"};
    if (details_) {
      const TicketDetails& about = ticket.details();
      row.insert(row.end(),
                 {about.user, about.verb, about.path, about.ns, about.name,
                  about.group.empty() ? about.version : about.group + "/" + about.version,
                  about.resource, about.subresource});
    }
    rows_.push_back(std::move(row));
  }

  const bool details_;
  std::vector<Row> rows_;
};

}  // namespace

std::uint64_t dispatched_of(const FlowCounts& counts) {
  return counts.dispatched + counts.answered_by_views->count();
}

bool is_limit_dump(std::string_view path) {
  if (!path.starts_with(kPrefix)) return false;
  path.remove_prefix(kPrefix.size());
  return path == "dump_priority_levels" || path == "dump_queues" || path == "dump_requests";
}

std::string limit_dump(PriorityLevels& levels, std::string_view path, bool details) {
  path.remove_prefix(kPrefix.size());
  if (path == "dump_priority_levels") return levels_page(levels);
  if (path == "dump_queues") return queues_page(levels);
  RequestsPage page(details);
  for (const auto& [name, level] : levels.levels()) page.add(name, level->queues);
  return page.text();
}

}  // namespace tabernetes::server

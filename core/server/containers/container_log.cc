#include "server/containers/container_log.h"

#include <algorithm>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/time/rfc3339.h"
#include "json/access.h"

namespace tabernetes::server {
namespace {

using json::Value;

constexpr std::int64_t kMostRepeats = 10'000;

const Value* status_of(const Value& pod, std::string_view container) {
  for (const std::string_view list :
       {"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"}) {
    for (const Value& status : items_at(pod, {"status", list})) {
      if (status.string_at("name") == container) return &status;
    }
  }
  return nullptr;
}

ContainerRun ended_run(const Value& terminated) {
  return {.started = parse_rfc3339(terminated.string_at("startedAt")).value_or(Time{}),
          .ended = parse_rfc3339(terminated.string_at("finishedAt")).value_or(Time{}),
          .exit_code = number_at(terminated, {"exitCode"})};
}

// What a container writes that no rule speaks of.
std::vector<LogLine> usual_lines(const Value& spec) {
  const std::string name(spec.string_at("name"));
  return {{.after = {},
           .every = std::nullopt,
           .text = name + " runs " + std::string(spec.string_at("image"))}};
}

void add_line(const LogLine& line, Time from, std::optional<Time> after, Time until,
              std::vector<LogEntry>& entries) {
  const Time first = from + line.after;
  const auto add = [&](Time time) {
    if (time <= until && (!after || time > *after)) entries.push_back({time, line.text});
  };
  if (!line.every) return add(first);
  if (first > until) return;
  const std::int64_t pace = line.every->nanoseconds;
  const std::int64_t last = (until - first).nanoseconds / pace;
  std::int64_t n = std::max<std::int64_t>(0, last + 1 - kMostRepeats);
  if (after && *after >= first) n = std::max(n, (*after - first).nanoseconds / pace + 1);
  for (; n <= last; ++n) add(first + Duration{n * pace});
}

}  // namespace

FoundRun find_run(const Value& pod, std::string_view container, bool previous) {
  const std::string what = "container " + go_quote(container) + " in pod " +
                           go_quote(text_at(pod, {"metadata", "name"}));
  const Value* status = status_of(pod, container);
  if (status == nullptr) return {.run = {}, .fault = what + " is not available"};
  const Value* running = status->at({"state", "running"});
  const Value* terminated = status->at({"state", "terminated"});
  const Value* last = status->at({"lastState", "terminated"});
  const auto exists = [](const Value* ended) {
    return ended != nullptr && !ended->string_at("containerID").empty();
  };
  if (previous) {
    if (exists(last)) return {.run = ended_run(*last), .fault = {}};
    return {.run = {}, .fault = "previous terminated " + what + " not found"};
  }
  if (running != nullptr) {
    return {.run = ContainerRun{.started =
                                    parse_rfc3339(running->string_at("startedAt")).value_or(Time{}),
                                .ended = std::nullopt},
            .fault = {}};
  }
  if (exists(terminated)) return {.run = ended_run(*terminated), .fault = {}};
  if (exists(last)) return {.run = ended_run(*last), .fault = {}};
  if (terminated != nullptr || last != nullptr)
    return {.run = {}, .fault = what + " is terminated"};
  const std::string_view reason = text_at(*status, {"state", "waiting", "reason"});
  std::string why(reason);
  if (reason == "ErrImagePull") why = "image can't be pulled";
  if (reason == "ImagePullBackOff") why = "trying and failing to pull image";
  return {.run = {}, .fault = what + " is waiting to start: " + why};
}

std::vector<LogEntry> log_entries(const std::vector<LogLine>& lines, const ContainerRun& run,
                                  std::optional<Time> after, Time until) {
  const Time end = run.ended ? std::min(until, *run.ended) : until;
  std::vector<LogEntry> entries;
  for (const LogLine& line : lines) add_line(line, run.started, after, end, entries);
  sort_stable(entries, [](const LogEntry& a, const LogEntry& b) { return a.time < b.time; });
  return entries;
}

std::vector<LogEntry> log_entries(const ContainerRules& rules, const Value& pod, const Value& spec,
                                  const ContainerRun& run, std::optional<Time> after, Time until) {
  const std::vector<LogLine>* chosen = rules.log_of(pod, spec);
  return log_entries(chosen == nullptr ? usual_lines(spec) : *chosen, run, after, until);
}

}  // namespace tabernetes::server

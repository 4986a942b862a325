// The log of a simulated container: it follows from the rules and from when the container ran.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/containers/container_rules.h"

namespace tabernetes::server {

// One run of a container.
struct ContainerRun {
  Time started;
  std::optional<Time> ended;  // nullopt: it runs
  std::int64_t exit_code = 0;
};

struct LogEntry {
  Time time;
  std::string text;
};

// Returns the run whose log is asked for, as a kubelet finds it, or its words for why there is
// none: the run before the present one if `previous`. Source: upstream 1.36
// pkg/kubelet/kubelet_pods.go.
struct FoundRun {
  std::optional<ContainerRun> run;
  std::string fault;
};
FoundRun find_run(const json::Value& pod, std::string_view container, bool previous);

// Returns what a container wrote after `after` (nullopt: from the beginning) and up to `until`, by
// time. Of what is written again and again, at most the last 10,000 times.
std::vector<LogEntry> log_entries(const std::vector<LogLine>& lines, const ContainerRun& run,
                                  std::optional<Time> after, Time until);
std::vector<LogEntry> log_entries(const ContainerRules& rules, const json::Value& pod,
                                  const json::Value& spec, const ContainerRun& run,
                                  std::optional<Time> after, Time until);

}  // namespace tabernetes::server

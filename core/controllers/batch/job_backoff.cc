#include "controllers/batch/job_backoff.h"

#include <algorithm>

#include "controllers/shared/objects.h"
#include "json/access.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr Duration kFirstBackoff = Duration::from_seconds(10);
constexpr Duration kLongestBackoff = Duration::from_seconds(600);

bool is_sidecar(const Value& pod, std::string_view name) {
  for (const Value& container : items_at(pod, {"spec", "initContainers"})) {
    if (container.string_at("name") == name) {
      return container.string_at("restartPolicy") == "Always";
    }
  }
  return false;
}

// Returns when the last container finished; nullopt if one has not.
std::optional<Time> containers_finished(const Value& pod) {
  std::optional<Time> last;
  for (const std::string_view list : {"containerStatuses", "initContainerStatuses"}) {
    for (const Value& status : items_at(pod, {"status", list})) {
      const bool initial = list == "initContainerStatuses";
      if (initial && !is_sidecar(pod, status.string_at("name"))) continue;
      const auto finished = time_at(status, {"state", "terminated", "finishedAt"});
      if (!finished) return std::nullopt;
      if (!last || *last < *finished) last = finished;
    }
  }
  return last;
}

}  // namespace

Time finish_time(const Value& pod) {
  if (const auto finished = containers_finished(pod)) return *finished;
  const Value* ready = registry::find_condition(pod, "Ready");
  if (ready != nullptr && ready->string_at("status") == "False") {
    if (const auto since = time_at(*ready, {"lastTransitionTime"})) return *since;
  }
  if (const auto deleted = time_at(pod, {"metadata", "deletionTimestamp"})) {
    const std::int64_t grace = number_at(pod, {"metadata", "deletionGracePeriodSeconds"});
    return *deleted + Duration::from_seconds(-grace);
  }
  return time_at(pod, {"metadata", "creationTimestamp"}).value_or(Time());
}

Duration remaining_backoff(int failures, Time last_failure, Time now) {
  if (failures == 0) return {};
  Duration backoff = kFirstBackoff;
  for (int i = 1; i < failures && backoff < kLongestBackoff; ++i) backoff.nanoseconds *= 2;
  if (kLongestBackoff < backoff) backoff = kLongestBackoff;
  const Duration passed = now - last_failure;
  return backoff < passed ? Duration() : Duration{backoff.nanoseconds - passed.nanoseconds};
}

JobBackoff JobBackoff::after(const std::vector<const Value*>& succeeded,
                             const std::vector<const Value*>& failed) const {
  JobBackoff next = *this;
  std::optional<Time> last_success;
  for (const Value* pod : succeeded) {
    const Time time = finish_time(*pod);
    if (!last_success || *last_success < time) last_success = time;
  }
  if (last_success) next = JobBackoff();
  for (const Value* pod : failed) {
    const Time time = finish_time(*pod);
    if (last_success && time <= *last_success) continue;
    if (next.failures_ == 0 || next.last_failure_ < time) next.last_failure_ = time;
    ++next.failures_;
  }
  if (!last_success && !failed.empty()) {
    // The last of the new failures counts, even if an earlier one ended later.
    Time last = finish_time(*failed.front());
    for (const Value* pod : failed) last = std::max(last, finish_time(*pod));
    next.last_failure_ = last;
  }
  return next;
}

}  // namespace tabernetes::controllers

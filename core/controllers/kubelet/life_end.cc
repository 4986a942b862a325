#include <algorithm>

#include "base/time/rfc3339.h"
#include "controllers/kubelet/life.h"
#include "controllers/kubelet/timing.h"
#include "json/access.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

Duration pre_stop_time(const Container& container) {
  return bounded_seconds(number_at(*container.spec, {"lifecycle", "preStop", "sleep", "seconds"}));
}

}  // namespace

std::int64_t Life::stop_code(const Container& container) const {
  if (container.behaviour.stop_code) return *container.behaviour.stop_code;
  return text_at(pod_, {"spec", "restartPolicy"}) == "Always" ? 0 : kTerminated;
}

// Stops the containers of a terminating pod: sidecars after the others, all within the grace
// period.
void Life::terminate() {
  const Duration grace =
      bounded_seconds(number_at(pod_, {"metadata", "deletionGracePeriodSeconds"}));
  const auto deletion = parse_rfc3339(text_at(pod_, {"metadata", "deletionTimestamp"}));
  const Time begin =
      std::min(deletion.value_or(around_.now) + Duration{-grace.nanoseconds}, around_.now);
  const Time last = begin + std::max(grace, kLeastGrace);
  const bool fresh = number_at(pod_, {"status", "observedGeneration"}) != generation_;
  Time mains_end = begin;
  bool runs = false;
  const auto stop = [&](Container& container, Time from) {
    if (!container.running()) return;
    if (fresh) {
      report(kNormal, "Killing", "Stopping container " + std::string(container.name), &container);
    }
    const Time wanted = from + pre_stop_time(container) + container.behaviour.stop;
    const Time time = std::min(wanted, last);
    if (container.role == Role::kMain) mains_end = std::max(mains_end, time);
    if (reached(time)) return end(container, wanted > last ? kKilled : stop_code(container));
    runs = true;
  };
  for (Container& container : containers_) {
    if (container.role != Role::kSidecar) stop(container, begin);
  }
  for (Container& container : containers_) {
    if (container.role == Role::kSidecar) stop(container, mains_end);
  }
  if (runs) return;
  ends_ = true;
  out_.finished = true;
  const bool initialised = registry::condition_is_true(pod_, "Initialized");
  for (Container& container : containers_) {
    if (container.terminated() || container.role != Role::kMain || !initialised) continue;
    container.id = {};
    container.image_id = {};
    end(container, kKilled, "ContainerStatusUnknown",
        "The container could not be located when the pod was terminated");
  }
}

bool Life::exceeds_deadline() {
  const Value* seconds = pod_.at({"spec", "activeDeadlineSeconds"});
  if (first_ || seconds == nullptr || !seconds->is_int()) return false;
  return reached(start_time_ + bounded_seconds(seconds->as_int()));
}

void Life::fail_for_deadline() {
  phase_ = "Failed";
  reason_ = "DeadlineExceeded";
  message_ = "Pod was active on the node longer than the specified deadline";
  report(kNormal, reason_, std::string(message_));
  for (Container& container : containers_) {
    if (!container.running()) continue;
    report(kNormal, "Killing", "Stopping container " + std::string(container.name), &container);
    end(container, stop_code(container) == 0 ? kTerminated : stop_code(container));
  }
}

void Life::stop_sidecars() {
  for (Container& container : containers_) {
    if (container.role != Role::kSidecar || !container.running()) continue;
    report(kNormal, "Killing", "Stopping container " + std::string(container.name), &container);
    end(container, container.behaviour.stop_code.value_or(0));
  }
}

}  // namespace tabernetes::controllers::kubelet

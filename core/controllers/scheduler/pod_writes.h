// What the scheduler writes: bindings, statuses of pods, and events. Source: upstream 1.36
// pkg/scheduler/schedule_one.go, framework/preemption/executor.go; client-go tools/events.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "controllers/loop/control_loop.h"
#include "controllers/scheduler/pod_info.h"

namespace tabernetes::controllers::scheduling {

inline constexpr std::string_view kSchedulerName = "default-scheduler";

struct Bound {
  PodPtr pod;  // as it is on the node
  store::Revision revision = 0;
};
// Binds the pod to the node as POST pods/NAME/binding does.
Result<Bound> bind_to_node(const ReconcileContext& cluster, const PodInfo& pod,
                           const std::string& node);

// Sets the condition PodScheduled to False, unless `message` is null; sets the nominated node,
// unless it is nullopt. Writes only if something changes.
void write_failure(const ReconcileContext& cluster, const PodInfo& pod, std::string_view reason,
                   const std::string* message, const std::optional<std::string>& nominated);

// Marks the pod as preempted by `preemptor` and deletes it.
void preempt(const ReconcileContext& cluster, const PodInfo& victim, const PodInfo& preemptor);

struct EventText {
  std::string_view type, reason, action;
  std::string note;
};

// Writes events in the format of events.k8s.io. The same about the same version of a pod becomes a
// series, which is written once.
class EventWriter {
 public:
  void record(const ReconcileContext& cluster, const PodInfo& about, const EventText& text);
  // Records it; when it comes again, it is a series.
  void record_failure(const ReconcileContext& cluster, const PodInfo& about,
                      const std::string& message);
  // Forgets the failures of a pod.
  void forget(const std::string& key) { failures_.erase(key); }
  void clear() { failures_.clear(); }

 private:
  struct Failure {
    std::string version, event;  // of the pod; name of the event
    bool series = false;
  };
  std::unordered_map<std::string, Failure> failures_;  // by key of the pod
};

}  // namespace tabernetes::controllers::scheduling

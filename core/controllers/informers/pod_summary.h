// What control loops ask of a pod all the time, read once for each of its versions.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.h"
#include "registry/objects/object_record.h"
#include "registry/selectors/label_selector.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers {

enum class PodPhase : std::uint8_t { kPending, kUnknown, kRunning, kSucceeded, kFailed };

// Who a pod is. The versions of a pod share it.
struct PodIdentity {
  std::string ns, name, uid;
};

// The controlling owner of a pod. Its pods share it, if possible.
struct PodController {
  std::string kind, name, uid;
};

// Immutable; shared by all loops and by forks.
struct PodSummary {
  store::RecordPtr record;  // the whole pod
  std::shared_ptr<const PodIdentity> identity;
  std::shared_ptr<const PodController> controller;  // null: an orphan
  std::string_view ns, name, uid;                   // those of the identity
  // Those of the controller; empty: an orphan.
  std::string_view controller_kind, controller_name, controller_uid;
  // The labels as JSON. Pods of one controller with the same labels share the text, if possible.
  std::shared_ptr<const std::string> labels;
  std::string node;  // empty: not bound
  // For a pod that is not bound: the only node that its affinity names, as a DaemonSet's pod does.
  std::string target_node;
  bool uses_claims = false;  // its volumes are of claims
  std::string ip;            // status.podIP
  PodPhase phase = PodPhase::kPending;
  bool ready = false;                      // the condition Ready is True
  std::optional<Time> ready_since;         // its lastTransitionTime, if it is ready
  std::optional<Time> deletion_timestamp;  // set: it is being deleted
  std::optional<Time> creation_timestamp;
  std::int32_t restarts = 0;  // of the container that restarted most
  std::int32_t sidecar_restarts = 0;
  std::int32_t deletion_cost = 0;  // controller.kubernetes.io/pod-deletion-cost

  bool terminal() const { return phase == PodPhase::kSucceeded || phase == PodPhase::kFailed; }
  bool active() const { return !terminal() && !deletion_timestamp; }
  bool terminating() const { return !terminal() && deletion_timestamp; }
  // Returns true if it has been ready for that long.
  bool available(std::int64_t min_ready_seconds, Time now) const;
  // Returns when it becomes available, if only time is missing.
  std::optional<Time> next_availability(std::int64_t min_ready_seconds, Time now) const;

  std::optional<std::string_view> label(std::string_view key) const {
    return registry::label_of(*record, key);
  }
  bool matches(const registry::LabelSelector& selector) const {
    return selector.matches_by([&](std::string_view key) { return label(key); });
  }
};
using PodPtr = std::shared_ptr<const PodSummary>;

// Returns true if the pod has volumes of claims.
bool has_claim_volumes(const json::Value& pod);

// Shares with `like`, another version of the pod or another pod of its controller, what is the
// same. Null: with nobody.
PodSummary summarize_pod(const json::Value& pod, store::RecordPtr record,
                         const PodSummary* like = nullptr);

}  // namespace tabernetes::controllers

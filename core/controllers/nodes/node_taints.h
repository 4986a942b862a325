// Taints that controllers put on nodes, and which of a pod's tolerations match them. Source:
// upstream 1.36 pkg/util/taints, component-helpers/scheduling/corev1.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "json/value.h"

namespace tabernetes::controllers {

struct Taint {
  std::string_view key, effect;
  friend bool operator==(const Taint&, const Taint&) = default;
};

inline constexpr std::string_view kNoSchedule = "NoSchedule";
inline constexpr std::string_view kNoExecute = "NoExecute";
inline constexpr std::string_view kNotReadyKey = "node.kubernetes.io/not-ready";
inline constexpr std::string_view kUnreachableKey = "node.kubernetes.io/unreachable";

bool has_taint(const json::Value& node, const Taint& taint);
// Adds the first taints, with the time, and then removes the others. Returns whether both is done.
bool swap_taints(const ReconcileContext& cluster, std::string_view node,
                 const std::vector<Taint>& added, const std::vector<Taint>& removed);

// Returns the node's taints with the effect NoExecute.
std::vector<json::Value> no_execute_taints(const json::Value& node);

// How long a pod stays on a node with these taints.
struct Toleration {
  bool tolerates_all = false;        // false: the pod goes at once
  std::optional<Duration> for_time;  // nullopt: for ever
};
Toleration toleration_of(const json::Value& pod, const std::vector<json::Value>& taints);

}  // namespace tabernetes::controllers

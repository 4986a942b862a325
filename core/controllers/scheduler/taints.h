// Taints of nodes and devices, tolerations of pods and requests of devices. Source: upstream 1.36
// api core/v1/toleration.go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.h"

namespace tabernetes::controllers::scheduling {

struct Taint {
  std::string key, value, effect;
  // Returns true if pods that do not tolerate it may not run on the node.
  bool is_hard() const { return effect == "NoSchedule" || effect == "NoExecute"; }
  friend bool operator==(const Taint&, const Taint&) = default;
};

struct Toleration {
  std::string key, op, value, effect;
  bool tolerates(const Taint& taint) const;
};

// Read the lists `taints` and `tolerations` of a value: a node's or a pod's spec, a device, a
// request for one.
std::vector<Taint> read_taints(const json::Value& holder);
std::vector<Toleration> read_tolerations(const json::Value& holder);

bool tolerate(const std::vector<Toleration>& tolerations, const Taint& taint);
// Returns true unless there is a hard taint that is not tolerated.
bool tolerate_hard_taints(const std::vector<Toleration>& tolerations,
                          const std::vector<Taint>& taints);

// The taint that an unschedulable node counts as having.
Taint unschedulable_taint();

}  // namespace tabernetes::controllers::scheduling

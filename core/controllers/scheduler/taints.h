// Taints of nodes and tolerations of pods. Source: upstream 1.36 api core/v1/toleration.go.
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

std::vector<Taint> read_taints(const json::Value& node_spec);
std::vector<Toleration> read_tolerations(const json::Value& pod_spec);

bool tolerate(const std::vector<Toleration>& tolerations, const Taint& taint);
// Returns true unless there is a hard taint that is not tolerated.
bool tolerate_hard_taints(const std::vector<Toleration>& tolerations,
                          const std::vector<Taint>& taints);

// The taint that an unschedulable node counts as having.
Taint unschedulable_taint();

}  // namespace tabernetes::controllers::scheduling

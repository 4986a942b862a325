// The state of Kubernetes' feature gates.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "schema/schema.h"

namespace tabernetes::schema {

class FeatureGates {
 public:
  // Sets each gate to its value in `chosen`, else to its default in Kubernetes. AllAlpha and
  // AllBeta set every gate of their stage that `chosen` does not name. REQUIRES:
  // check_feature_gates(chosen) succeeds.
  explicit FeatureGates(const std::map<std::string, bool>& chosen = {});

  // Returns true if the gate at this index of Catalogue::feature_gates() is on.
  bool enabled(std::size_t gate) const { return enabled_[gate] != 0; }
  // REQUIRES: `name` is a gate of kube-apiserver.
  bool enabled(std::string_view name) const;

 private:
  std::string enabled_;  // 1 or 0 for each gate
};

// Returns the stage as kube-apiserver's metrics name it: "ALPHA"; empty for general availability.
std::string_view metric_label(GateStage stage);

}  // namespace tabernetes::schema

// Computes the total number of replicas desired by the controllers of a set of pods.
#pragma once

#include <string>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "json/value.h"

namespace tabernetes::controllers {

struct ExpectedPods {
  std::int64_t count = 0;
  bool some_unmanaged = false;  // some pod has no controller
  std::string error;            // why the count is unknown
};
ExpectedPods expected_pods(const ReconcileContext& cluster, const std::vector<json::Value>& pods);

}  // namespace tabernetes::controllers

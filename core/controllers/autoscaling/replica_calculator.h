// How many replicas a metric calls for. Source: upstream 1.36
// pkg/controller/podautoscaler/replica_calculator.go.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "json/value.h"

namespace tabernetes::controllers {

// By how much the usage may differ from the target without effect.
struct Tolerances {
  double down = 0.1, up = 0.1;

  bool covers(double ratio) const { return 1.0 - down <= ratio && ratio <= 1.0 + up; }
};

struct ReplicaProposal {
  std::string error;  // why there is none; empty: there is one
  std::int64_t replicas = 0;
  std::int64_t utilization = 0;  // in percent of the requests
  std::int64_t average = 0;      // usage of a pod, in thousandths
};

// What is measured, of which pods.
struct MeasuredResource {
  std::string_view resource;   // "cpu", "memory"
  std::string_view container;  // empty: the whole pod
  std::vector<json::Value> pods;
  std::int64_t current_replicas = 0;
  Tolerances tolerances;
};

// Returns the proposal for a target in percent of what the pods request.
ReplicaProposal propose_for_utilization(const ReconcileContext& cluster,
                                        const MeasuredResource& measured, std::int64_t target);
// Returns the proposal for a target in thousandths of the resource's unit, for each pod.
ReplicaProposal propose_for_average(const ReconcileContext& cluster,
                                    const MeasuredResource& measured, std::int64_t target);

}  // namespace tabernetes::controllers

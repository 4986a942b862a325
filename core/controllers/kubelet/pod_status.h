// What a kubelet concludes from the containers of a pod: its phase and its conditions. Source:
// upstream 1.36 pkg/kubelet/kubelet_pods.go (getPhase), pkg/kubelet/status/generate.go.
#pragma once

#include <string_view>
#include <vector>

#include "controllers/kubelet/containers.h"
#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// Returns the phase; `ends`: nothing of the pod runs or will run again.
std::string_view phase_of(const json::Value& pod, const std::vector<Container>& containers,
                          bool ends);

// Returns true for Succeeded and Failed.
bool is_final(std::string_view phase);

struct PodFacts {
  const json::Value& pod;
  const std::vector<Container>& containers;
  std::string_view phase;
  bool has_sandbox = false;
  bool opens_gates = false;  // its readiness gates open with its containers
  bool resizing = false;     // its containers do not have the resources yet that it asks for
};

// Returns status.conditions: those of others, then the kubelet's in its order. Keeps the times of
// conditions whose status stays.
json::Value conditions_of(const PodFacts& facts, Time now, json::Arena& arena);

}  // namespace tabernetes::controllers::kubelet

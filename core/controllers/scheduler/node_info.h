// A node with the pods on it, summed up. Source: upstream 1.36 pkg/scheduler/framework/types.go
// (NodeInfo).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "controllers/scheduler/pod_info.h"
#include "controllers/scheduler/taints.h"

namespace tabernetes::controllers::scheduling {

// What the scheduler reads of a Node.
struct NodeFacts {
  std::string name;
  LabelSet labels;
  std::vector<Taint> taints;
  bool unschedulable = false;
  ResourceAmounts allocatable;
  std::int64_t allowed_pods = 0;
  std::unordered_map<std::string, std::int64_t> images;  // sizes by normalised name

  // Returns region and zone as one text; empty if there are none.
  std::string zone() const;
  friend bool operator==(const NodeFacts&, const NodeFacts&) = default;
};
NodeFacts read_node(const json::Value& node);

struct NodeInfo {
  NodeFacts facts;
  bool exists = false;  // false: only pods say that they are on it
  ResourceAmounts requested;
  std::int64_t nonzero_milli_cpu = 0, nonzero_memory = 0;
  std::vector<PodPtr> pods;
  std::vector<HostPort> ports;

  void add(const PodPtr& pod);
  // Removes the pod with that uid, if it is there.
  void remove(const PodInfo& pod);
  bool conflicts(const std::vector<HostPort>& wanted) const;

 private:
  void sum(const PodInfo& pod, std::int64_t sign);
};

}  // namespace tabernetes::controllers::scheduling

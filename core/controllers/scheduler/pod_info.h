// What the scheduler knows of a pod: read once from its record, and never changed. Source: upstream
// 1.36 pkg/scheduler/framework/types.go (PodInfo).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/scheduler/label_set.h"
#include "controllers/scheduler/node_selector.h"
#include "controllers/scheduler/pod_selector.h"
#include "controllers/scheduler/resource_amounts.h"
#include "controllers/scheduler/taints.h"
#include "json/value.h"

namespace tabernetes::controllers::scheduling {

struct HostPort {
  std::string ip, protocol;
  std::int64_t port = 0;
  // Returns true if both cannot be used on one node.
  bool conflicts(const HostPort& other) const;
};

struct AffinityTerm {
  PodSelector pods;
  std::string topology_key;
  std::int64_t weight = 0;  // of a preferred term; negative: pods rather not together
};

struct PodAffinity {
  std::vector<AffinityTerm> required, required_anti, preferred;
  bool empty() const { return required.empty() && required_anti.empty() && preferred.empty(); }
};

struct SpreadConstraint {
  bool hard = true;  // DoNotSchedule
  std::int64_t max_skew = 1, min_domains = 1;
  std::string topology_key;
  PodSelector pods;
  bool honours_affinity = true, honours_taints = false;
};

// A volume that one node at a time can use: of a cloud, iSCSI or RBD.
struct ExclusiveVolume {
  std::string kind, id;
  std::vector<std::string> monitors;  // RBD
  bool read_only = false;
};

struct ClaimVolume {
  std::string claim;
  bool ephemeral = false;  // the claim is made for the pod
};

// A claim of devices.
struct DeviceClaim {
  std::string claim;       // name of the ResourceClaim; empty: none is needed
  bool generated = false;  // the claim is made for the pod, from a template
  bool created = true;     // false: it is not made yet
  bool operator==(const DeviceClaim&) const = default;
};

struct PodInfo {
  std::string ns, name, uid, version;
  LabelSet labels;
  std::int64_t generation = 0;
  std::string scheduler, node, nominated_node;
  std::int64_t priority = 0;
  bool never_preempts = false;
  bool terminating = false;  // has a deletionTimestamp
  bool over = false;         // Succeeded or Failed
  bool gated = false;        // has scheduling gates

  PodRequests requests;
  std::vector<HostPort> ports;
  std::vector<Toleration> tolerations;
  NodeDemands nodes;
  PodAffinity affinity;
  std::vector<SpreadConstraint> spread;
  std::vector<ClaimVolume> claims;
  std::vector<DeviceClaim> device_claims;
  std::vector<ExclusiveVolume> exclusive;
  std::vector<std::string> csi_drivers;  // of inline volumes
  std::vector<std::string> images;       // normalised, one per container and image volume
  std::size_t containers = 0;            // with init containers
  std::string owner;                     // "ReplicaSet/web" of the controller; may be empty
  std::string owner_api_version;

  std::string key() const { return ns + "/" + name; }
};
using PodPtr = std::shared_ptr<const PodInfo>;

PodPtr read_pod(const json::Value& pod);

// Returns `image` with a tag.
std::string normalised_image(std::string_view image);

}  // namespace tabernetes::controllers::scheduling

// The claims of a pod: whether a node can reach their volumes, and which volumes are bound when the
// pod goes to a node. Source: upstream 1.36 pkg/scheduler/framework/plugins/{volumebinding,
// volumezone,volumerestrictions,nodevolumelimits}, component-helpers storage/volume.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "controllers/scheduler/cache.h"
#include "controllers/scheduler/verdict.h"

namespace tabernetes::controllers::scheduling {

// A refusal before any node is looked at.
struct PreFilterRefusal {
  Plugin plugin;
  std::string reason;
};

class PodVolumes {
 public:
  // Reads the pod's claims, their classes and volumes. REQUIRES: `cluster` outlives this object.
  PodVolumes(const ReconcileContext& cluster, const Cache& cache, const PodInfo& pod);

  // Returns why no node can do. Has what each plugin says, in the order of plugins.
  const std::optional<PreFilterRefusal>& refusal() const { return refusal_; }
  // Returns how many of the pod's ReadWriteOncePod claims the other pod uses.
  int exclusive_users_of(const PodInfo& other) const;

  // `change` is that of the users of the pod's ReadWriteOncePod claims, on trial.
  Verdict filter(const NodeInfo& node, int change) const;

  // Returns true if all claims are bound.
  bool all_bound() const { return waiting_.empty(); }
  // Claims volumes for the unbound claims, or asks the provisioner for some on that node. Errors:
  // those of the writes.
  Result<void> bind(const NodeInfo& node) const;
  // Returns true if all claims of the pod are bound by now; nullopt if one was given up: it is to
  // be scheduled again.
  static std::optional<bool> are_bound(const ReconcileContext& cluster, const PodInfo& pod,
                                       std::string_view node);

 private:
  struct Claim {
    json::Value claim, volume;
    std::string class_name;
    json::Value storage_class;
  };
  // The volume of each claim on a node; null: it is to be provisioned.
  struct Choice {
    Verdict verdict;
    std::vector<json::Value> volumes;
  };

  void refuse(Plugin plugin, std::string reason);
  void read_claim(const PodInfo& pod, const ClaimVolume& volume);
  void check_volume_restrictions(const Cache& cache, const PodInfo& pod);
  void check_zones();
  Verdict check_restrictions(const NodeInfo& node, int change) const;
  Verdict check_limits(const NodeInfo& node) const;
  Verdict check_bound(const NodeInfo& node) const;
  Verdict check_zone_labels(const NodeInfo& node) const;
  Choice choose(const NodeInfo& node) const;
  json::Value find_volume(const Claim& claim, const NodeInfo& node,
                          const std::set<std::string_view>& taken) const;
  bool can_provision(const Claim& claim, const NodeInfo& node, bool& enough) const;
  // Adds the CSI volumes of a pod, by handle, with their drivers.
  void add_csi_volumes(const PodInfo& pod, std::map<std::string, std::string>& volumes) const;

  const ReconcileContext& cluster_;
  const PodInfo& pod_;
  std::optional<PreFilterRefusal> refusal_;
  std::vector<Claim> bound_, waiting_;
  std::set<std::string> exclusive_claims_;  // ReadWriteOncePod
  int exclusive_users_ = 0;
  std::vector<json::Value> free_volumes_;
};

}  // namespace tabernetes::controllers::scheduling

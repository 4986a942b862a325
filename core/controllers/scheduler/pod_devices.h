// The claims of devices of a pod: which devices they get on a node, and what is written when the
// pod goes there. Source: upstream 1.36 pkg/scheduler/framework/plugins/dynamicresources.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controllers/loop/control_loop.h"
#include "controllers/scheduler/device_allocator.h"
#include "controllers/scheduler/pod_volumes.h"

namespace tabernetes::controllers::scheduling {

// Returns what the claims of a pod lack before it can be tried; empty: nothing.
std::string missing_claims(const registry::Registry& registry, const PodInfo& pod);

class PodDevices {
 public:
  // Reads the claims. REQUIRES: the arguments outlive this object.
  PodDevices(const ReconcileContext& cluster, const PodInfo& pod);

  // Returns why no node can do.
  const std::optional<PreFilterRefusal>& refusal() const { return refusal_; }
  bool empty() const { return claims_.empty(); }
  // Returns the error of a filter, which ends the attempt; empty if there was none.
  const std::string& error() const { return error_; }

  Verdict filter(const NodeInfo& node);
  // Takes back the devices of a claim that no node can reach, if only the pod uses it. Returns what
  // upstream says after all filters have failed.
  std::string_view deallocate();
  // Gives the claims the devices that filter() found on the node, and reserves them for the pod.
  // Errors: those of the writes.
  Result<void> bind(const std::string& node) const;

 private:
  bool read_claims();
  void check_classes();
  void read_inventory();
  Result<void> change(const json::Value& claim, registry::Subresource part,
                      const std::function<void(json::Value& object)>& edit) const;
  Result<void> write(const json::Value& claim, const json::Value* allocation) const;

  const ReconcileContext& cluster_;
  const PodInfo& pod_;
  std::optional<PreFilterRefusal> refusal_;
  std::vector<json::Value> claims_, waiting_;           // waiting: those without an allocation
  std::vector<std::optional<NodeSelector>> available_;  // where those of claims_ are
  std::vector<std::size_t> unavailable_;                // of claims_, on some node
  DeviceInventory inventory_;
  std::map<std::string, std::vector<json::Value>, std::less<>> found_;  // allocations by node
  std::string error_;
};

}  // namespace tabernetes::controllers::scheduling

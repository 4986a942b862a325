// Gives each node a range of addresses for its pods: the first free /24 of 10.244.0.0/16, kubeadm's
// usual range. Source: upstream 1.36 pkg/controller/nodeipam/ipam/range_allocator.go.
#pragma once

#include <bitset>
#include <map>
#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class NodeIpam final : public QueuedLoop<NodeIpam> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  static constexpr std::size_t kRanges = 256;

  // Keys: nodes.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
  void forget() override {
    used_.reset();
    of_node_.clear();
  }
  void release(std::string_view node);

  std::bitset<kRanges> used_;
  std::map<std::string, std::size_t, std::less<>> of_node_;
};

}  // namespace tabernetes::controllers

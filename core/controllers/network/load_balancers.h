// Gives services of type LoadBalancer an address, as a cloud's load balancer does: their first free
// address of 192.0.2.0/24, 198.51.100.0/24 and 203.0.113.0/24, or of 2001:db8:6c62::/112, the
// ranges for documentation. Source: upstream 1.36 cloud-provider controllers/service.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class LoadBalancers final : public QueuedLoop<LoadBalancers> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: services.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers

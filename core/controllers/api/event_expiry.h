// Deletes Events an hour after they were last written, as a lease does in etcd. Always runs, as
// part of the API server, unless the storage does it. Source: upstream 1.36 kube-apiserver
// --event-ttl, apiserver/pkg/storage/etcd3/lease_manager.go.
//
// Upstream's leases are good for what is written within a minute, and last a minute longer than
// asked for; here they begin with each minute, so that they follow from when an Event was written.
#pragma once

#include <map>
#include <optional>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

inline constexpr Duration kEventTtl = Duration::from_seconds(3600);

class EventExpiry final : public Cloneable<EventExpiry, ControlLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  void resync() override { leases_.clear(); }
  std::optional<Time> next() const override;
  std::optional<Time> next_once() const override { return std::nullopt; }
  void reconcile_due(const ReconcileContext& cluster) override;

 private:
  // When a lease ends, and the newest revision of an Event in it. Those before are in it, too, or
  // in an earlier one.
  std::map<Time, store::Revision> leases_;
};

}  // namespace tabernetes::controllers

// Binds claims to volumes, and reclaims volumes whose claims are gone. Volumes of the provisioner
// `tabernetes.dev/hostless` are made and deleted here, of nothing. Source: upstream 1.36
// pkg/controller/volume/persistentvolume; what an external provisioner does is that of
// sig-storage-lib-external-provisioner.
#pragma once

#include <map>
#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class PersistentVolumes final : public Cloneable<PersistentVolumes, ControlLoop> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;
  void resync() override;
  std::optional<Time> next() const override;
  std::optional<Time> next_once() const override;
  void reconcile_due(const ReconcileContext& cluster) override;

 private:
  void sync_volume(const ReconcileContext& cluster, const std::string& name);
  void reclaim(const ReconcileContext& cluster, const json::Value& volume);
  void sync_claim(const ReconcileContext& cluster, const std::string& key);
  void sync_unbound_claim(const ReconcileContext& cluster, const json::Value& claim);
  void sync_bound_claim(const ReconcileContext& cluster, const json::Value& claim);
  // Returns whether the claim got the default class.
  bool assign_default_class(const ReconcileContext& cluster, const json::Value& claim);
  void tell_of_waiting(const ReconcileContext& cluster, const json::Value& claim);
  void provision(const ReconcileContext& cluster, const json::Value& claim);
  // Writes both sides, as far as they are not written yet.
  void bind(const ReconcileContext& cluster, const json::Value& volume, const json::Value& claim);
  void try_again(const json::Value& claim, Time now);

  WorkQueue volumes_;
  WorkQueue claims_;
  std::map<std::string, store::Revision, std::less<>> provisioned_;  // claims: our own write
};

}  // namespace tabernetes::controllers

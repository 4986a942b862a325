// Keeps claims, volumes and classes of volume attributes that are in use from disappearing, by
// finalizers. Source: upstream 1.36
// pkg/controller/volume/{pvcprotection,pvprotection,vacprotection}.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

// A claim goes when no pod on a node has it.
class ClaimProtection final : public QueuedLoop<ClaimProtection> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: claims.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

// A volume goes when it is not bound.
class VolumeProtection final : public QueuedLoop<VolumeProtection> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: volumes.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

// A class of volume attributes goes when no claim and no volume names it.
class AttributesClassProtection final : public QueuedLoop<AttributesClassProtection> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: classes.
  void reconcile(const ReconcileContext& cluster, const std::string& key) override;
};

}  // namespace tabernetes::controllers

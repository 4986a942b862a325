// Asks drivers to attach the CSI volumes of pods to their nodes, and to detach them when no pod
// there needs them; notes on nodes what is attached. Source: upstream 1.36
// pkg/controller/volume/attachdetach, pkg/volume/csi/csi_attacher.go.
#pragma once

#include <map>
#include <set>
#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class AttachDetach final : public QueuedLoop<AttachDetach> {
 public:
  // What is not in the objects: when an attachment, by name, was or will be looked at.
  struct Progress {
    std::map<std::string, Time, std::less<>> detach_since;
    struct Attempt {
      int failures = 0;
      Time next;
    };
    std::map<std::string, Attempt, std::less<>> attempts;
    std::set<std::string, std::less<>> told_in_use;  // attached elsewhere, as an event has said
  };

  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  void observe_pod(const WatchEvent& change);
  void observe_claim(const WatchEvent& change);
  // Keys: nodes.
  void reconcile(const ReconcileContext& cluster, const std::string& node) override;
  void forget() override;

  Progress progress_;
  std::set<std::string, std::less<>> nodes_;  // that have volumes, or wait for some
  // The nodes that wait until a volume is detached elsewhere.
  std::set<std::string, std::less<>> waiting_;
};

}  // namespace tabernetes::controllers

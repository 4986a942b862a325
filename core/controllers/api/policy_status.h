// Tells in the status of each ValidatingAdmissionPolicy what is wrong with the types in its
// expressions. Source: upstream 1.36 pkg/controller/validatingadmissionpolicystatus.
#pragma once

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class PolicyStatus final : public QueuedLoop<PolicyStatus> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: names of policies.
  void reconcile(const ReconcileContext& cluster, const std::string& name) override;
};

}  // namespace tabernetes::controllers

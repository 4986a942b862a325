// The life cycle of CustomResourceDefinitions: accepting names, establishing, and deleting their
// objects when they are deleted. Always runs, as part of kube-apiserver. Source: upstream 1.36
// apiextensions-apiserver pkg/controller/{status,establish,finalizer,apiapproval};
// spec/crd-auth-admission.md 1.8, 1.9.
#pragma once

#include <map>
#include <string>

#include "controllers/loop/queued_loop.h"

namespace tabernetes::controllers {

class CustomDefinitions final : public QueuedLoop<CustomDefinitions> {
 public:
  void on_change(const registry::Registry& registry, const WatchEvent& change) override;

 private:
  // Keys: names of definitions.
  void reconcile(const ReconcileContext& cluster, const std::string& name) override;
  void forget() override { retry_after_.clear(); }

  // For definitions whose objects are being deleted: the time limit.
  std::map<std::string, Time> retry_after_;
};

}  // namespace tabernetes::controllers

// The life cycle of CustomResourceDefinitions: accepting names, establishing, and deleting their
// objects when they are deleted. Always runs, as part of kube-apiserver. Source: upstream 1.36
// apiextensions-apiserver pkg/controller/{status,establish,finalizer,apiapproval};
// spec/crd-auth-admission.md 1.8, 1.9.
#pragma once

#include <map>
#include <string>

#include "controllers/control_loop.h"
#include "controllers/work_queue.h"

namespace tabernetes::controllers {

class CustomDefinitions final : public ControlLoop {
 public:
  void observe(const registry::Registry& registry, const Change& change) override;
  void restart() override {
    queue_.clear();
    patience_.clear();
  }
  std::optional<Time> next() const override { return queue_.next(); }
  void work(const Turn& turn) override;
  std::unique_ptr<ControlLoop> clone() const override {
    return std::make_unique<CustomDefinitions>(*this);
  }

 private:
  WorkQueue queue_;  // names of definitions
  // For definitions whose objects are being deleted: the time limit.
  std::map<std::string, Time> patience_;
};

}  // namespace tabernetes::controllers

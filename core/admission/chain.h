// The chain of admission plugins, in order, as the registry calls it.
#pragma once

#include "admission/policy_set.h"
#include "registry/kind/admission.h"

namespace tabernetes::admission {

// There is one for each cluster: it caches the cluster's compiled policies. For the writer's thread
// only.
class Chain final : public registry::Admission {
 public:
  Result<void> mutate(const registry::Plugins& plugins,
                      const registry::AdmissionRequest& request) const override;
  Result<void> validate(const registry::Plugins& plugins,
                        const registry::AdmissionRequest& request) const override;

 private:
  mutable PolicySet policies_;
};

}  // namespace tabernetes::admission

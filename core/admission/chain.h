// The plugins in their order, for the registry.
#pragma once

#include "admission/policy_set.h"
#include "registry/admission.h"

namespace tabernetes::admission {

// One for each cluster: it keeps what is compiled of the cluster's policies. For the writer alone.
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

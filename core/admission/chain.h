// The admission plugins at work, in order, as the registry calls them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "admission/memory.h"
#include "admission/plugin.h"
#include "registry/kind/admission.h"

namespace tabernetes::admission {

// There is one for each cluster. For the writer's thread only.
class Chain final : public registry::Admission {
 public:
  // `table` outlives the chain.
  explicit Chain(const PluginSet& chosen, std::span<const Plugin> table = all_plugins());

  Result<void> mutate(const AdmissionRequest& request) const override;
  Result<void> validate(const AdmissionRequest& request) const override;

 private:
  static constexpr std::size_t kOperations = 4;
  using Lists = std::array<std::vector<const Plugin*>, kOperations>;

  Result<void> run(const Lists& lists, Phase Plugin::*phase, const AdmissionRequest& request) const;

  // Those that have the phase, by operation.
  Lists mutating_, validating_;
  mutable Memory memory_;
};

}  // namespace tabernetes::admission

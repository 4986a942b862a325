// Runs the admission plugins in their order.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "admission/plugin.h"
#include "admission/plugin_state.h"
#include "registry/kind/admission.h"

namespace tabernetes::admission {

// One per cluster. Used by the writer's thread only.
class Chain final : public registry::Admission {
 public:
  // REQUIRES: `table` outlives the chain.
  explicit Chain(const PluginSet& chosen, std::span<const Plugin> table = all_plugins());

  // Sets who makes an account that a pod needs and that the control loop has not made yet.
  void set_default_account_maker(DefaultAccountMaker maker) {
    state_.make_default_account = std::move(maker);
  }

  // Sets what the plugins are configured with; by default nothing.
  void configure(std::shared_ptr<const PluginSettings> settings) {
    state_.configure(std::move(settings));
  }

  // Sets who answers what a user may do; without it, everything is allowed.
  void set_access_check(AccessCheck check) { state_.may_access = std::move(check); }

  // Returns true if a plugin asks a webhook that its settings name.
  bool asks() const { return asks_; }

  Result<void> mutate(const AdmissionRequest& request) const override;
  Result<void> validate(const AdmissionRequest& request) const override;

 private:
  static constexpr std::size_t kOperations = 4;
  using Lists = std::array<std::vector<const Plugin*>, kOperations>;

  Result<void> run(const Lists& lists, Phase Plugin::*phase, const AdmissionRequest& request) const;
  // Runs one phase of a plugin, and adds to `steps` what it has done.
  Result<void> run_followed(const Plugin& plugin, Phase Plugin::*phase,
                            const AdmissionRequest& request, registry::AdmissionSteps& steps) const;

  // The plugins with the phase, by operation.
  Lists mutating_, validating_;
  bool asks_ = false;
  mutable PluginState state_;
};

}  // namespace tabernetes::admission

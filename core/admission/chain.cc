#include "admission/chain.h"

#include <algorithm>
#include <utility>

#include "codec/json_writer.h"
#include "patch/json_diff.h"
#include "registry/kind/audit_notes.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

bool handles(const Plugin& plugin, const AdmissionRequest& request) {
  const schema::Resource& resource = *request.type.resource;
  return plugin.targets.empty() ||
         std::any_of(plugin.targets.begin(), plugin.targets.end(), [&](const Target& target) {
           return target.plural == resource.plural && target.group == resource.group &&
                  target.subresource == request.context.subresource;
         });
}

bool is_asked(const Plugin& plugin, const AdmissionRequest& request, PluginState& state) {
  // Objects from a manifest passed admission before; only plugins that ensure consistency see them.
  const bool loading = request.context.origin == registry::Origin::kManifest;
  return (!loading || plugin.loads) && handles(plugin, request) &&
         (plugin.configured_by.plural.empty() ||
          state.configured_plugins.has(plugin, request.registry));
}

}  // namespace

Chain::Chain(const PluginSet& chosen, std::span<const Plugin> table) {
  for (const Plugin& plugin : table) {
    if (!chosen.has(plugin.name)) continue;
    asks_ = asks_ || plugin.asks;
    for (std::size_t i = 0; i < kOperations; ++i) {
      if (!plugin.operations.has(static_cast<registry::Operation>(i))) continue;
      if (plugin.mutate != nullptr) mutating_[i].push_back(&plugin);
      if (plugin.validate != nullptr) validating_[i].push_back(&plugin);
    }
  }
}

Result<void> Chain::run(const Lists& lists, Phase Plugin::*phase,
                        const AdmissionRequest& request) const {
  const registry::AuditNotes* notes = request.context.notes;
  registry::AdmissionSteps* steps = notes == nullptr ? nullptr : notes->steps;
  for (const Plugin* plugin : lists[static_cast<std::size_t>(request.operation)]) {
    if (!is_asked(*plugin, request, state_)) continue;
    TAB_CHECK(steps == nullptr ? (plugin->*phase)(request, state_)
                               : run_followed(*plugin, phase, request, *steps));
  }
  return {};
}

Result<void> Chain::run_followed(const Plugin& plugin, Phase Plugin::*phase,
                                 const AdmissionRequest& request,
                                 registry::AdmissionSteps& steps) const {
  using registry::AdmissionSteps;
  json::Arena& arena = request.context.arena;
  const json::Value before = request.object.clone(arena);
  const Stopwatch& stopwatch = steps.stopwatch();
  const std::int64_t began = stopwatch ? stopwatch() : 0;
  Result<void> done = (plugin.*phase)(request, state_);
  AdmissionSteps::Step step;
  if (stopwatch) step.took = Duration{stopwatch() - began};
  step.phase = phase == &Plugin::mutate ? AdmissionSteps::Phase::kMutating
                                        : AdmissionSteps::Phase::kValidating;
  step.plugin = plugin.name;
  step.resource = request.type.resource->plural;
  if (!request.context.subresource.empty()) {
    step.resource.append("/").append(request.context.subresource);
  }
  const json::Value patch = patch::json_diff(before, request.object, arena);
  if (!patch.items().empty()) step.patch = codec::json_text(patch);
  if (!done) step.refusal = done.error().message;
  steps.add(std::move(step));
  return done;
}

Result<void> Chain::mutate(const AdmissionRequest& request) const {
  // A plugin may write other objects, whose admission is a phase within this one.
  MutatingRound outer = std::exchange(state_.round, {});
  Result<void> done = run(mutating_, &Plugin::mutate, request);
  if (done && state_.round.again) {
    state_.round.second = true;
    done = run(mutating_, &Plugin::mutate, request);
  }
  state_.round = std::move(outer);
  return done;
}

Result<void> Chain::validate(const AdmissionRequest& request) const {
  return run(validating_, &Plugin::validate, request);
}

}  // namespace tabernetes::admission

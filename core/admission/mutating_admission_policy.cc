// MutatingAdmissionPolicy: applies the mutations of policies with bindings. Source: upstream 1.36
// apiserver pkg/admission/plugin/policy/mutating/dispatcher.go, generic/policy_dispatcher.go.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/policy_matching.h"
#include "admission/policy_mutation.h"
#include "admission/policy_params.h"
#include "admission/request.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;

// A policy to be applied, with a binding and a parameter.
struct Invocation {
  const ActivePolicy* policy;
  const Configuration* binding;
  const ResourceType* type;  // as which it matched
  Value params;

  std::string key() const {
    std::string key(policy->program->name());
    key.append("/").append(binding->name());
    if (!params.is_object()) return key;
    key.append("/").append(text_at(params, {"metadata", "namespace"}));
    return key.append("/").append(text_at(params, {"metadata", "name"}));
  }
};

class MutationDispatch {
 public:
  MutationDispatch(const PolicyRequest& request, MutatingRound& round)
      : request_(request), round_(round), again_(round.policies) {}

  // Finds the bindings and parameters with which the policy applies.
  void find(const ActivePolicy& active) {
    const CompiledPolicy& policy = *active.program;
    const Value* constraints = policy.spec().find("matchConstraints");
    const ResourceType* type = constraints == nullptr ? nullptr : match(*constraints, request_);
    if (type == nullptr) return;
    const auto kind = param_type(policy, request_.request().registry);
    if (!kind) return fail(active, nullptr, "failed to configure policy: " + kind.error());
    for (const ConfigurationPtr& binding : active.bindings) {
      const Value* resources = binding->object.at({"spec", "matchResources"});
      if (resources != nullptr && !resources->is_null() && match(*resources, request_) == nullptr) {
        continue;
      }
      const auto params = collect_params(*kind, binding->object, request_);
      if (!params) {
        fail(active, binding.get(), "failed to configure binding: " + params.error());
        continue;
      }
      for (const Value& param : *params) {
        invocations_.push_back({&active, binding.get(), type, param});
      }
    }
  }

  // Errors: 404 for a missing namespace, 403 if a policy denies the request, and 500.
  Result<void> run() {
    if (!invocations_.empty() && request_.lacks_namespace()) {
      return errors::not_found({"", "namespaces"}, request_.ns());
    }
    for (const Invocation& invocation : invocations_) TAB_CHECK(invoke(invocation));
    if (round_.again) again_.object_changed();
    if (denials_.empty()) return {};
    Failure failure = refusal(request_.request(), denials_.front());
    failure->message = denials_.front();
    if (!first_is_configuration_) failure->reason = "Invalid";
    for (const std::string& denial : denials_) failure->details->causes.push_back({{}, denial, {}});
    return failure;
  }

 private:
  Result<void> invoke(const Invocation& invocation) {
    const CompiledPolicy& policy = *invocation.policy->program;
    PolicyInputs inputs = request_.inputs(*invocation.type, invocation.params);
    std::string error;
    const Applies applies =
        check_conditions(policy.conditions(), inputs, policy.fails_open(), error);
    if (applies == Applies::kFailed) fail(*invocation.policy, invocation.binding, error);
    if (applies != Applies::kYes) return {};
    const std::string key = invocation.key();
    if (round_.second && !again_.wanted.contains(key)) return {};
    const Value before = inputs.object;
    bool patched = false;
    for (const PolicyExpression* mutation : policy.mutations()) {
      if (inputs.object.is_null()) continue;
      TAB_TRY(const auto made,
              apply_mutation(policy, *mutation, inputs, request_, *invocation.type));
      if (!made) {
        fail(*invocation.policy, invocation.binding, made.error());
        continue;
      }
      inputs.object = *made;
      patched = true;
    }
    if (patched) {
      request_.request().object = request_.from_version(inputs.object, *invocation.type);
      round_.again = true;  // even if the patch has changed nothing
    }
    if (!json::deep_equal(before, inputs.object)) again_.object_changed();
    if (policy.spec().string_at("reinvocationPolicy") == "IfNeeded") again_.invoked.insert(key);
    return {};
  }

  void fail(const ActivePolicy& active, const Configuration* binding, const std::string& why) {
    if (active.program->fails_open()) return;
    if (denials_.empty()) first_is_configuration_ = why.starts_with("failed to configure");
    const std::string name(active.program->name());
    denials_.push_back(binding == nullptr
                           ? "policy \"" + name + "\" denied request: " + why
                           : "policy '" + name + "' with binding '" + std::string(binding->name()) +
                                 "' denied request: " + why);
  }

  const PolicyRequest& request_;
  MutatingRound& round_;
  Reinvocations& again_;
  std::vector<Invocation> invocations_;
  std::vector<std::string> denials_;
  bool first_is_configuration_ = false;
};

}  // namespace

Result<void> apply_policies(const AdmissionRequest& request, PluginState& state) {
  if (is_exempt_from_policies(request)) return {};
  state.follow(request.registry);
  const auto& equivalents = state.equivalents.of(request.registry, request.type);
  const auto candidates = state.mutating_policies.candidates(request.type, equivalents);
  if (candidates.empty()) return {};
  Reinvocations& again = state.round.policies;
  if (state.round.second && !json::deep_equal(again.last_output, request.object)) {
    again.object_changed();
  }
  const PolicyRequest seen(request, equivalents, state.may_access);
  MutationDispatch dispatch(seen, state.round);
  for (const ActivePolicy* active : candidates) dispatch.find(*active);
  TAB_CHECK(dispatch.run());
  again.last_output = request.object.clone(seen.arena());
  return {};
}

}  // namespace tabernetes::admission

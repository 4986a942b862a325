// ValidatingAdmissionPolicy: evaluates policies with bindings for a request. Source: upstream 1.36
// apiserver pkg/admission/plugin/policy/validating/dispatcher.go.

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/policy_evaluation.h"
#include "admission/policy_matching.h"
#include "admission/policy_params.h"
#include "admission/request.h"
#include "codec/json_writer.h"
#include "registry/life/registry.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::ResourceType;

int code_of(std::string_view reason) {
  if (reason == "Forbidden") return 403;
  if (reason == "Unauthorized") return 401;
  return reason == "RequestEntityTooLarge" ? 413 : 422;
}

std::string_view name_of(const Value& object) {
  return registry::metadata_of(object)->string_at("name");
}

// Returns true if the match of `resources` (MatchResources) depends on a namespace's labels.
bool selects_namespaces(const Value* resources) {
  const Value* selector = resources == nullptr ? nullptr : resources->find("namespaceSelector");
  return selector != nullptr && selector->size() > 0;
}

// Evaluates the policies in cluster. The client gets the first denial, and the warnings of all.
class Dispatch {
 public:
  explicit Dispatch(const PolicyRequest& request) : request_(request) {}

  void ask(const ActivePolicy& bound) {
    const CompiledPolicy& policy = *bound.program;
    const Value* constraints = policy.spec().find("matchConstraints");
    const ResourceType* matched = constraints == nullptr ? nullptr : match(*constraints, request_);
    if (matched == nullptr) return;
    if (request_.lacks_namespace() && selects_namespaces(constraints)) {
      return misconfigured(policy, nullptr, no_namespace()->message);
    }
    const auto type = param_type(policy, request_.request().registry);
    if (!type) return misconfigured(policy, nullptr, type.error());
    std::optional<PolicyInputs> inputs;
    AuditTexts notes;
    for (const ConfigurationPtr& stored : bound.bindings) {
      const Value* binding = &stored->object;
      const Value* resources = binding->at({"spec", "matchResources"});
      if (resources != nullptr && !resources->is_null() && match(*resources, request_) == nullptr) {
        continue;
      }
      if (request_.lacks_namespace()) {
        if (selects_namespaces(resources)) {
          misconfigured(policy, binding, no_namespace()->message);
          continue;
        }
        failure_ = no_namespace();
        return note(policy, notes);
      }
      const auto params = collect_params(*type, *binding, request_);
      if (!params) {
        misconfigured(policy, binding, params.error());
        continue;
      }
      if (!inputs) inputs.emplace(request_.inputs(*matched, {}));
      for (const Value& param : *params) {
        inputs->params = param;
        for (const Denial& denial : evaluate(policy, *inputs, notes)) {
          act(policy, *binding, denial);
        }
      }
    }
    note(policy, notes);
  }

  bool failed() const { return failure_.has_value(); }

  Result<void> result() {
    if (failure_) return std::move(*failure_);
    if (!denial_) return {};
    Failure failure = refusal(request_.request(), denial_->message);
    failure->reason = denial_->reason.empty() ? "Invalid" : denial_->reason;
    failure->code = code_of(denial_->reason);
    failure->details->causes.push_back({{}, denial_->message, {}});
    return failure;
  }

 private:
  Failure no_namespace() const { return errors::not_found({"", "namespaces"}, request_.ns()); }

  void misconfigured(const CompiledPolicy& policy, const Value* binding, const std::string& why) {
    if (policy.fails_open()) return;
    const std::string_view what = binding == nullptr ? "policy" : "binding";
    deny(policy, binding, {"failed to configure " + std::string(what) + ": " + why, {}});
  }

  void act(const CompiledPolicy& policy, const Value& binding, const Denial& denial) {
    if (denial.always) return deny(policy, &binding, denial);
    const Value* actions = binding.at({"spec", "validationActions"});
    if (actions == nullptr) return;
    for (const Value& action : actions->items()) {
      if (action.as_string() == "Deny") deny(policy, &binding, denial);
      if (action.as_string() == "Warn") warn(policy, binding, denial);
      if (action.as_string() == "Audit") note_violation(policy, binding, *actions, denial);
    }
  }

  void deny(const CompiledPolicy& policy, const Value* binding, const Denial& denial) {
    if (denial_) return;
    denial_.emplace(
        Denial{titled(policy, binding) + " denied request: " + denial.message, denial.reason});
  }

  void warn(const CompiledPolicy& policy, const Value& binding, const Denial& denial) const {
    std::vector<std::string>* warnings = request_.request().context.warnings;
    if (warnings == nullptr) return;
    warnings->push_back("Validation failed for " + titled(policy, &binding) + ": " +
                        denial.message);
  }

  registry::AuditNotes* notes() const { return request_.request().context.notes; }

  void note_violation(const CompiledPolicy& policy, const Value& binding, const Value& actions,
                      const Denial& denial) const {
    if (notes() == nullptr) return;
    std::string text = "[{\"message\":";
    codec::write_json_string(denial.message, text);
    text += ",\"policy\":";
    codec::write_json_string(policy.name(), text);
    text += ",\"binding\":";
    codec::write_json_string(name_of(binding), text);
    text += ",\"expressionIndex\":" + std::to_string(denial.expression);
    text += ",\"validationActions\":" + codec::json_text(actions) + "}]";
    notes()->add("validation.policy.admission.k8s.io/validation_failure", std::move(text));
  }

  // Adds the texts that the policy has given: those of several parameters in one.
  void note(const CompiledPolicy& policy, const AuditTexts& texts) const {
    if (notes() == nullptr) return;
    std::map<std::string, std::vector<std::string>> by_key;
    for (const auto& [key, text] : texts) {
      std::vector<std::string>& known = by_key[key];
      if (std::find(known.begin(), known.end(), text) == known.end()) known.push_back(text);
    }
    for (const auto& [key, known] : by_key) {
      std::string all;
      for (const std::string& text : known) all += (all.empty() ? "" : ", ") + text;
      notes()->add(std::string(policy.name()) + "/" + key, std::move(all));
    }
  }

  static std::string titled(const CompiledPolicy& policy, const Value* binding) {
    std::string text = "ValidatingAdmissionPolicy '";
    text.append(policy.name()).append("'");
    if (binding != nullptr) text.append(" with binding '").append(name_of(*binding)).append("'");
    return text;
  }

  const PolicyRequest& request_;
  std::optional<Denial> denial_;
  std::optional<Failure> failure_;  // ends the request regardless of denials
};

}  // namespace

Result<void> check_policies(const AdmissionRequest& request, PluginState& state) {
  if (is_exempt_from_policies(request)) return {};
  state.follow(request.registry);
  const auto& equivalents = state.equivalents.of(request.registry, request.type);
  const auto candidates = state.validating_policies.candidates(request.type, equivalents);
  if (candidates.empty()) return {};
  const PolicyRequest seen(request, equivalents, state.may_access);
  Dispatch dispatch(seen);
  for (const ActivePolicy* bound : candidates) {
    if (!dispatch.failed()) dispatch.ask(*bound);
  }
  return dispatch.result();
}

}  // namespace tabernetes::admission

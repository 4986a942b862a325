// PodSecurity: enforces the Pod Security Standards selected by the labels of a namespace. Source:
// k8s.io/pod-security-admission 0.36, admission/ and api/.

#include <algorithm>
#include <string>
#include <vector>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/pod_security_policy.h"
#include "admission/request.h"
#include "base/algorithm/sort.h"
#include "base/api/field_error.h"
#include "base/go/text.h"
#include "json/access.h"
#include "registry/life/registry.h"
#include "registry/objects/object_record.h"

namespace tabernetes::admission {
namespace {

using json::Value;

constexpr std::size_t kMaxPodsToCheck = 3000;

// What the configuration exempts.
bool is_among(const std::vector<std::string>& exempt, std::string_view name) {
  return !name.empty() && std::find(exempt.begin(), exempt.end(), name) != exempt.end();
}

void warn(const AdmissionRequest& request, std::string text) {
  if (request.context.warnings != nullptr) request.context.warnings->push_back(std::move(text));
}

// Adds an annotation to the request's audit events.
void note(const AdmissionRequest& request, std::string_view key, std::string text) {
  if (request.context.notes == nullptr) return;
  request.context.notes->add(std::string(kPodSecurityLabels) + std::string(key), std::move(text));
}

// --- Namespaces

struct Violation {
  std::string reasons, first_pod;
  std::size_t pods = 0;
};

std::string shown(const Violation& violation) {
  std::string text = violation.first_pod;
  if (violation.pods > 1) {
    text += " (and " + std::to_string(violation.pods - 1) + " other pod" +
            (violation.pods > 2 ? "s)" : ")");
  }
  return text + ": " + violation.reasons;
}

// Warns about existing pods that the new level would reject.
void warn_of_pods(const AdmissionRequest& request, const PodSecuritySettings& settings,
                  const std::string& ns, const LevelVersion& enforce) {
  AdmissionRequest inside = request;
  inside.ns = ns;
  std::vector<Violation> violations;
  std::size_t pods = 0;
  for_each_in_namespace(inside, "pods", [&](const Value& pod) {
    if (is_among(settings.runtime_classes, text_at(pod, {"spec", "runtimeClassName"}))) return;
    if (++pods > kMaxPodsToCheck) return;
    const PodSecurityResult findings = check_pod(enforce.level, enforce.minor, pod);
    if (findings.allowed()) return;
    auto known = std::find_if(violations.begin(), violations.end(), [&](const Violation& one) {
      return one.reasons == findings.reasons;
    });
    if (known == violations.end()) {
      // Pods come sorted by name.
      known = violations.insert(
          known, {findings.reasons, std::string(text_at(pod, {"metadata", "name"})), 0});
    }
    ++known->pods;
  });
  if (pods > kMaxPodsToCheck) {
    warn(request, "new PodSecurity enforce level only checked against the first " +
                      std::to_string(kMaxPodsToCheck) + " of " + std::to_string(pods) +
                      " existing pods");
  }
  if (violations.empty()) return;
  warn(request, "existing pods in namespace " + go_quote(ns) +
                    " violate the new PodSecurity enforce level " + go_quote(enforce.text()));
  std::vector<std::string> texts;
  for (const Violation& violation : violations) texts.push_back(shown(violation));
  sort_stable(texts);
  for (std::string& text : texts) warn(request, std::move(text));
}

bool same_faults(const field::ErrorList& some, const field::ErrorList& others) {
  return field::aggregate(some) == field::aggregate(others);
}

// Warns about labels of a namespace that is exempt.
void warn_of_exemption(const AdmissionRequest& request, const PodSecuritySettings& settings,
                       const std::string& name, const PodSecurityPolicy& policy) {
  const auto is_privileged = [](const LevelVersion& level) {
    return level.level == Level::kPrivileged;
  };
  if (policy == settings.defaults || (is_privileged(policy.enforce) &&
                                      is_privileged(policy.audit) && is_privileged(policy.warn))) {
    return;
  }
  const Value* labels = request.object.at({"metadata", "labels"});
  std::string shown;
  const auto add = [&](std::string_view mode, const LevelVersion& level) {
    const std::string key = std::string(kPodSecurityLabels) + std::string(mode);
    const bool given = labels != nullptr &&
                       (labels->find(key) != nullptr || labels->find(key + "-version") != nullptr);
    if (is_privileged(level) || !given) return;
    shown.append(shown.empty() ? "" : ", ").append(mode).append("=").append(level.text());
  };
  add("enforce", policy.enforce);
  add("audit", policy.audit);
  add("warn", policy.warn);
  warn(request, "namespace " + go_quote(name) + " is exempt from Pod Security, and the policy (" +
                    shown + ") will be ignored");
}

Result<void> check_labels(const AdmissionRequest& request, const PodSecuritySettings& settings) {
  field::ErrorList faults, old_faults;
  const auto policy_of = [&](const Value& ns, field::ErrorList& errors) {
    return policy_of_labels(ns.at({"metadata", "labels"}), settings.defaults, errors);
  };
  const PodSecurityPolicy policy = policy_of(request.object, faults);
  const std::string name(text_at(request.object, {"metadata", "name"}));
  const PodSecurityPolicy before =
      request.old == nullptr ? PodSecurityPolicy() : policy_of(*request.old, old_faults);
  if (!faults.empty() && !same_faults(faults, old_faults)) {
    return field::invalid_status(request.type.group_kind(), name, faults);
  }
  const bool exempt = is_among(settings.namespaces, name);
  if (request.old == nullptr) {
    if (exempt) warn_of_exemption(request, settings, name, policy);
    return {};
  }
  if (policy.enforce == before.enforce || policy.enforce.level == Level::kPrivileged ||
      (policy.enforce.minor == before.enforce.minor &&
       policy.enforce.level <= before.enforce.level)) {
    return {};
  }
  if (exempt) {
    warn_of_exemption(request, settings, name, policy);
  } else {
    warn_of_pods(request, settings, name, policy.enforce);
  }
  return {};
}

// --- Pods and the kinds that create them

bool same_images(const Value& now, const Value& before, std::string_view list) {
  const json::Range<Value> containers = items_in(*now.find("spec"), list);
  const json::Range<Value> olds = items_in(*before.find("spec"), list);
  if (containers.size() != olds.size()) return false;
  for (std::uint32_t i = 0; i < containers.size(); ++i) {
    if (containers[i].string_at("image") != olds[i].string_at("image")) return false;
  }
  return true;
}

bool is_significant(const AdmissionRequest& request) {
  if (request.old == nullptr) return true;
  for (const std::string_view list : {"containers", "initContainers", "ephemeralContainers"}) {
    if (!same_images(request.object, *request.old, list)) return true;
  }
  return false;
}

// Returns the pod template of an object from which pods are made; null if it has none.
const Value* template_of(const AdmissionRequest& request) {
  const std::string_view kind = request.type.resource->kind;
  if (kind == "PodTemplate") return request.object.find("template");
  if (kind == "CronJob") return request.object.at({"spec", "jobTemplate", "spec", "template"});
  return request.object.at({"spec", "template"});
}

std::string violation(std::string_view verb, const LevelVersion& level,
                      const PodSecurityResult& findings) {
  return std::string(verb) + " PodSecurity " + go_quote(level.text()) + ": " + findings.details;
}

// Returns the policy of the request's namespace. Most namespaces have no such label, which a text
// search shows without decoding the object.
PodSecurityPolicy policy_of_namespace(const AdmissionRequest& request,
                                      const PodSecurityPolicy& defaults) {
  const registry::ResourceType* type = request.registry.resources().find("", "v1", "namespaces");
  const auto home = request.registry.get({type, {}, request.ns});
  if (!home || registry::labels_of(**home).find(kPodSecurityLabels) == std::string_view::npos) {
    return defaults;
  }
  const Value ns = registry::read_object(*type, **home, request.context.arena);
  field::ErrorList ignored;
  return policy_of_labels(ns.at({"metadata", "labels"}), defaults, ignored);
}

void note_violations(const AdmissionRequest& request, const LevelVersion& level, const Value& pod) {
  if (request.context.notes == nullptr || level.level == Level::kPrivileged) return;
  const PodSecurityResult findings = check_pod(level.level, level.minor, pod);
  if (findings.allowed()) return;
  note(request, "audit-violations", violation("would violate", level, findings));
}

Result<void> evaluate(const AdmissionRequest& request, const PodSecuritySettings& settings,
                      const Value& pod, bool enforce) {
  const PodSecurityPolicy policy = policy_of_namespace(request, settings.defaults);
  if (is_among(settings.runtime_classes, text_at(pod, {"spec", "runtimeClassName"}))) {
    note(request, "exempt", "runtimeClass");
    return {};
  }
  if (enforce) {
    note(request, "enforce-policy",
         policy.privileged() ? LevelVersion().text() : policy.enforce.text());
  }
  note_violations(request, policy.audit, pod);
  if (enforce && policy.enforce.level != Level::kPrivileged) {
    const PodSecurityResult findings = check_pod(policy.enforce.level, policy.enforce.minor, pod);
    if (!findings.allowed()) {
      return refusal(request, violation("violates", policy.enforce, findings));
    }
  }
  if (policy.warn.level == Level::kPrivileged) return {};
  const PodSecurityResult findings = check_pod(policy.warn.level, policy.warn.minor, pod);
  if (!findings.allowed()) warn(request, violation("would violate", policy.warn, findings));
  return {};
}

// Returns what exempts the request; empty: nothing.
std::string_view exemption(const AdmissionRequest& request, const PodSecuritySettings& settings) {
  if (is_among(settings.namespaces, request.ns)) return "namespace";
  const registry::User* user = request.context.user;
  return user != nullptr && is_among(settings.users, user->name) ? "user" : "";
}

}  // namespace

Result<void> check_pod_security(const AdmissionRequest& request, PluginState& state) {
  const PodSecuritySettings& settings = state.settings().pod_security;
  if (is_namespace(request)) return check_labels(request, settings);
  const bool is_pod = request.type.resource->kind == "Pod";
  const Value* pod = is_pod ? &request.object : template_of(request);
  if (pod == nullptr) return {};
  if (const std::string_view why = exemption(request, settings); !why.empty()) {
    note(request, "exempt", std::string(why));
    return {};
  }
  if (is_pod && !is_significant(request)) return {};
  return evaluate(request, settings, *pod, is_pod);
}

}  // namespace tabernetes::admission

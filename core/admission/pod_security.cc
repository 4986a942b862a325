// PodSecurity: enforces the Pod Security Standards selected by the labels of a namespace. Source:
// k8s.io/pod-security-admission 0.36, admission/ and api/. Audit annotations are dropped, as there
// is no audit log.

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "admission/plugins.h"
#include "admission/pod_security_checks.h"
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
using registry::Operation;
using registry::Subresource;

constexpr std::string_view kLabelPrefix = "pod-security.kubernetes.io/";
constexpr std::string_view kLevels[] = {"privileged", "baseline", "restricted"};
constexpr int kLatest = 1 << 20;
constexpr std::size_t kMaxPodsToCheck = 3000;

// --- Policies

struct LevelVersion {
  Level level = Level::kPrivileged;
  int minor = kLatest;
  friend bool operator==(const LevelVersion&, const LevelVersion&) = default;
  std::string text() const {
    return std::string(kLevels[static_cast<int>(level)]) +
           (minor == kLatest ? ":latest" : ":v1." + std::to_string(minor));
  }
};

struct Policy {
  LevelVersion enforce, audit, warn;
  field::ErrorList errors;
};

// Reads the labels of one mode, for level and version.
class PolicyReader {
 public:
  PolicyReader(const Value* labels, Policy& policy) : labels_(labels), policy_(policy) {}

  // Reads a level; returns whether the label exists. An invalid label selects `at_fault`.
  bool level(std::string_view mode, Level at_fault, Level& level, bool& sound) {
    const Value* label = find(mode, "");
    sound = false;
    if (label == nullptr) return false;
    for (int i = 0; i < 3; ++i) {
      if (label->as_string() != kLevels[i]) continue;
      level = static_cast<Level>(i);
      sound = true;
      return true;
    }
    level = at_fault;
    fault(mode, "", *label, "must be one of privileged, baseline, restricted");
    return true;
  }

  bool version(std::string_view mode, int& minor) {
    const Value* label = find(mode, "-version");
    if (label == nullptr) return false;
    minor = kLatest;
    std::string_view text = label->as_string();
    if (text == "latest") return true;
    if (text.starts_with("v1.")) {
      text.remove_prefix(3);
      int number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      const bool whole = error == std::errc() && end == text.data() + text.size() && number >= 0;
      if (whole && (text.size() == 1 || text.front() != '0')) {
        minor = std::min(number, kLatest - 1);
        return true;
      }
    }
    fault(mode, "-version", *label, "must be \"latest\" or \"v1.x\"");
    return true;
  }

 private:
  static std::string key(std::string_view mode, std::string_view suffix) {
    return std::string(kLabelPrefix) + std::string(mode) + std::string(suffix);
  }
  const Value* find(std::string_view mode, std::string_view suffix) const {
    return labels_ == nullptr ? nullptr : labels_->find(key(mode, suffix));
  }
  void fault(std::string_view mode, std::string_view suffix, const Value& label,
             std::string_view why) {
    policy_.errors.push_back(field::invalid(field::Path("metadata.labels").key(key(mode, suffix)),
                                            go_quote(label.as_string()), why));
  }

  const Value* labels_;
  Policy& policy_;
};

Policy policy_of(const Value& ns) {
  Policy policy;
  PolicyReader reader(ns.at({"metadata", "labels"}), policy);
  bool enforces = false;
  bool sound = false;
  reader.level("enforce", Level::kRestricted, policy.enforce.level, enforces);
  reader.version("enforce", policy.enforce.minor);
  reader.level("audit", Level::kPrivileged, policy.audit.level, sound);
  reader.version("audit", policy.audit.minor);
  const bool warns = reader.level("warn", Level::kPrivileged, policy.warn.level, sound);
  const bool warns_of_version = reader.version("warn", policy.warn.minor);
  // By default, enforcement also warns about objects that create pods.
  if (!warns && enforces && policy.enforce.level > policy.warn.level) {
    policy.warn.level = policy.enforce.level;
    if (!warns_of_version) policy.warn.minor = policy.enforce.minor;
  }
  return policy;
}

void warn(const AdmissionRequest& request, std::string text) {
  if (request.context.warnings != nullptr) request.context.warnings->push_back(std::move(text));
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
void warn_of_pods(const AdmissionRequest& request, const std::string& ns,
                  const LevelVersion& enforce) {
  AdmissionRequest inside = request;
  inside.ns = ns;
  std::vector<Violation> violations;
  std::size_t pods = 0;
  for_each_in_namespace(inside, "pods", [&](const Value& pod) {
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

Result<void> check_labels(const AdmissionRequest& request) {
  const Policy policy = policy_of(request.object);
  const std::string name(text_at(request.object, {"metadata", "name"}));
  const Policy before = request.old == nullptr ? Policy() : policy_of(*request.old);
  if (!policy.errors.empty() && !same_faults(policy.errors, before.errors)) {
    return field::invalid_status(request.type.group_kind(), name, policy.errors);
  }
  if (request.old == nullptr || policy.enforce == before.enforce ||
      policy.enforce.level == Level::kPrivileged ||
      (policy.enforce.minor == before.enforce.minor &&
       policy.enforce.level <= before.enforce.level)) {
    return {};
  }
  warn_of_pods(request, name, policy.enforce);
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
Policy policy_of_namespace(const AdmissionRequest& request) {
  const registry::ResourceType* type = request.registry.resources().find("", "v1", "namespaces");
  const auto home = request.registry.get({type, {}, request.ns});
  if (!home || registry::labels_of(**home).find(kLabelPrefix) == std::string_view::npos) return {};
  return policy_of(registry::read_object(*type, **home, request.context.arena));
}

Result<void> evaluate(const AdmissionRequest& request, const Value& pod, bool enforce) {
  const Policy policy = policy_of_namespace(request);
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

}  // namespace

Result<void> check_pod_security(const AdmissionRequest& request, PluginState&) {
  if (is_namespace(request)) return check_labels(request);
  if (request.type.resource->kind == "Pod") {
    return is_significant(request) ? evaluate(request, request.object, true) : Result<void>();
  }
  const Value* made = template_of(request);
  return made == nullptr ? Result<void>() : evaluate(request, *made, false);
}

}  // namespace tabernetes::admission

#include "controllers/batch/job_policies.h"

#include "controllers/shared/objects.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

bool exit_code_matches(std::int64_t code, const Value& requirement) {
  bool listed = false;
  for (const Value& value : items_in(requirement, "values")) {
    listed = listed || (value.is_int() && value.as_int() == code);
  }
  const std::string_view op = requirement.string_at("operator");
  return op == "In" ? listed : op == "NotIn" && !listed;
}

// Returns the status of a container that failed as required, or null.
const Value* failed_container(const Value& pod, const Value& requirement) {
  const Value* name = requirement.find("containerName");
  for (const std::string_view list : {"containerStatuses", "initContainerStatuses"}) {
    for (const Value& status : items_at(pod, {"status", list})) {
      if (name != nullptr && name->is_string() && name->as_string() != status.string_at("name")) {
        continue;
      }
      const Value* terminated = status.at({"state", "terminated"});
      if (terminated == nullptr) continue;
      const std::int64_t code = number_at(*terminated, {"exitCode"});
      if (code != 0 && exit_code_matches(code, requirement)) return &status;
    }
  }
  return nullptr;
}

// Returns the pod's condition that matches one of the patterns, or null.
const Value* matching_condition(const Value& pod, const Value& patterns) {
  for (const Value& condition : items_at(pod, {"status", "conditions"})) {
    for (const Value& pattern : patterns.items()) {
      if (condition.string_at("type") == pattern.string_at("type") &&
          condition.string_at("status") == pattern.string_at("status")) {
        return &condition;
      }
    }
  }
  return nullptr;
}

// Returns why the rule matches the pod ("Container c for pod ns/p failed with exit code 1"), or an
// empty text.
std::string matched_rule(const Value& rule, const Value& pod) {
  const std::string who = queue_key(pod);
  if (const Value* codes = rule.find("onExitCodes")) {
    const Value* status = failed_container(pod, *codes);
    if (status == nullptr) return {};
    return "Container " + std::string(status->string_at("name")) + " for pod " + who +
           " failed with exit code " +
           std::to_string(number_at(*status, {"state", "terminated", "exitCode"}));
  }
  const Value* patterns = rule.find("onPodConditions");
  if (patterns == nullptr || !patterns->is_array()) return {};
  const Value* condition = matching_condition(pod, *patterns);
  if (condition == nullptr) return {};
  return "Pod " + who + " has condition " + std::string(condition->string_at("type"));
}

}  // namespace

PodFailure judge_failure(const Value& job, const Value& pod) {
  int number = 0;
  for (const Value& rule : items_at(job, {"spec", "podFailurePolicy", "rules"})) {
    const std::string why = matched_rule(rule, pod);
    const int index = number++;
    if (why.empty()) continue;
    const std::string_view action = rule.string_at("action");
    if (action == "Ignore") return {.is_counted = false};
    if (action == "FailIndex") return {.fails_index = true};
    if (action == "FailJob") {
      return {.fails_job = why + " matching FailJob rule at index " + std::to_string(index)};
    }
    return {};
  }
  return {};
}

std::string met_success_rule(const Value& job, const IndexSet& succeeded) {
  if (succeeded.empty()) return {};
  const int completions = static_cast<int>(number_at(job, {"spec", "completions"}));
  int number = 0;
  for (const Value& rule : items_at(job, {"spec", "successPolicy", "rules"})) {
    const int index = number++;
    const Value* count = rule.find("succeededCount");
    const bool has_count = count != nullptr && count->is_int();
    const Value* wanted = rule.find("succeededIndexes");
    bool met = false;
    if (wanted != nullptr && wanted->is_string()) {
      const IndexSet required = IndexSet::parse(wanted->as_string(), completions);
      if (required.empty()) continue;
      const int reached = required.overlap(succeeded);
      met = reached == required.total() || (has_count && reached >= count->as_int());
    } else {
      met = has_count && succeeded.total() >= count->as_int();
    }
    if (met) return "Matched rules at index " + std::to_string(index);
  }
  return {};
}

bool replaces_only_failed_pods(const Value& job) {
  return text_at(job, {"spec", "podReplacementPolicy"}) == "Failed" ||
         job.at({"spec", "podFailurePolicy"}) != nullptr;
}

bool is_pod_failed(const Value& pod, const Value& job) {
  const std::string_view phase = text_at(pod, {"status", "phase"});
  if (phase == "Failed") return true;
  if (replaces_only_failed_pods(job)) return false;
  return is_terminating(pod) && phase != "Succeeded";
}

}  // namespace tabernetes::controllers

// Job of batch. Source: upstream 1.36 pkg/apis/batch/validation,
// pkg/registry/batch/job/strategy.go.
#include <string>

#include "base/go/text.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/batch/job_spec.h"
#include "kinds/batch/job_status.h"
#include "kinds/pod_template/defaults.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kJobRules, R"(
on create
 @new-job
on update
 @changed-job
 spec.selector immutable
 @template-change
 spec
  completionMode immutable
  podFailurePolicy immutable=#batch.v1.PodFailurePolicy
  backoffLimitPerIndex,managedBy immutable
  successPolicy immutable=#batch.v1.SuccessPolicy
)");

namespace {

using json::Arena;
using json::Value;

std::string unknown_job_label(const schema::Resource&, std::string_view label) {
  return "field label " + go_quote(label) + " not supported for Job";
}

constexpr std::string_view kJobWarning =
    "child pods are preserved by default when jobs are deleted; set "
    "propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this "
    "warning";

std::string_view job_status(const Value& job) {
  if (condition_is_true(job, "Complete")) return "Complete";
  if (condition_is_true(job, "Failed")) return "Failed";
  if (has(job, {"metadata", "deletionTimestamp"})) return "Terminating";
  for (const std::string_view type : {"Suspended", "FailureTarget", "SuccessCriteriaMet"}) {
    if (condition_is_true(job, type)) return type;
  }
  return "Running";
}

std::string completions_text(const Value& job) {
  const std::string succeeded = std::to_string(number_at(job, {"status", "succeeded"}));
  if (has(job, {"spec", "completions"})) {
    return succeeded + "/" + std::to_string(number_at(job, {"spec", "completions"}));
  }
  const std::int64_t parallelism = number_at(job, {"spec", "parallelism"});
  return parallelism > 1 ? succeeded + "/1 of " + std::to_string(parallelism) : succeeded + "/1";
}

std::string duration_text(const Value& job, Row& row) {
  const std::string_view start = text_at(job, {"status", "startTime"});
  if (start.empty()) return {};
  const std::string_view end = text_at(job, {"status", "completionTime"});
  return end.empty() ? row.age_of(start) : format_duration_between(start, end);
}

void print_job(const Value& object, Row& row) {
  row.name(object);
  row.text(job_status(object));
  row.text(completions_text(object));
  row.text(duration_text(object, row));
  row.age(object);
  const auto containers = items_at(object, {"spec", "template", "spec", "containers"});
  row.text(container_names(containers));
  row.text(container_images(containers));
  row.text(selector_text(object.at({"spec", "selector"})));
}

// Returns the spec with the defaults of its pod template.
Value& fill_workload(Value& object, Arena& arena) {
  Value& spec = object_or_new(object, "spec", arena);
  set_pod_template_defaults(object_or_new(spec, "template", arena), arena);
  return spec;
}

void set_job_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  Value& spec = fill_workload(object, arena);
  if (spec.find("completions") == nullptr && spec.find("parallelism") == nullptr) {
    fill_int(spec, "completions", 1, arena);
  }
  fill_int(spec, "parallelism", 1, arena);
  const bool by_index = spec.find("backoffLimitPerIndex") != nullptr;
  fill_int(spec, "backoffLimit", by_index ? INT32_MAX : 6, arena);
  fill(spec, "completionMode", Value::string("NonIndexed"), arena);
  fill_bool(spec, "suspend", false, arena);
  fill_bool(spec, "manualSelector", false, arena);
  const Value* policy = object_in(spec, "podFailurePolicy");
  fill(spec, "podReplacementPolicy",
       Value::string(policy != nullptr ? "Failed" : "TerminatingOrFailed"), arena);
  if (policy != nullptr) {
    for (Value& rule : items_in(*policy, "rules")) {
      for (Value& condition : items_in(rule, "onPodConditions")) {
        fill_text(condition, "status", "True", arena);
      }
    }
  }
  copy_template_labels(object, spec, arena);
}

void prepare_job_for_create(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  Value& spec = object_or_new(object, "spec", arena);
  if (!bool_at(spec, {"manualSelector"})) {
    Value& metadata = object_or_new(object, "metadata", arena);
    const Value uid = Value::string(metadata.string_at("uid"));
    const Value name = Value::string(metadata.string_at("name"));
    Value& selector = object_or_new(spec, "selector", arena);
    Value& matched = object_or_new(selector, "matchLabels", arena);
    matched.set(arena, "batch.kubernetes.io/controller-uid", uid);
    matched.sort_members();
    Value& pods = object_or_new(object_or_new(spec, "template", arena), "metadata", arena);
    Value& labels = object_or_new(pods, "labels", arena);
    labels.set(arena, "batch.kubernetes.io/controller-uid", uid);
    labels.set(arena, "batch.kubernetes.io/job-name", name);
    labels.set(arena, "controller-uid", uid);
    labels.set(arena, "job-name", name);
    labels.sort_members();
  }
  copy_template_labels(object, spec, arena);
}

void warn_of_job(const Field& object, const Value* old, Warnings& out) {
  if (old == nullptr) warn_of_name(object, kPodNames, out);
  if (old == nullptr || !same_generation(object, *old)) warn_of_job_spec(object["spec"], out);
}

}  // namespace

extern const Kind kJobKind{.group = "batch",
                           .kind = "Job",
                           .strategy = {.meta_passes = {"CF", "CFUF", "UF"},
                                        .unknown_field_label = &unknown_job_label,
                                        .generation = Generation::kSpec,
                                        .orphans_by_default = true,
                                        .warning_without_policy = kJobWarning,
                                        .set_defaults = &set_job_defaults,
                                        .prepare_for_create = &prepare_job_for_create,
                                        .validate_status = &validate_job_status,
                                        .warnings = &warn_of_job},
                           .rules = &kJobRules,
                           .print = &print_job};

}  // namespace tabernetes::registry::kinds

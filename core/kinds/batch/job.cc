// Job of batch. Source: upstream 1.36 pkg/apis/batch/validation,
// pkg/registry/batch/job/strategy.go.
#include <string>

#include "base/go/text.h"
#include "json/access.h"
#include "kinds/defaults_workloads.h"
#include "kinds/kinds.h"
#include "kinds/validation/jobs.h"
#include "kinds/warn.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
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

}  // namespace

const Kind kJobKind{.group = "batch",
                    .kind = "Job",
                    .strategy = {.meta_passes = {"CF", "CFUF", "UF"},
                                 .unknown_field_label = &unknown_job_label,
                                 .generation = Generation::kSpec,
                                 .orphans_by_default = true,
                                 .warning_without_policy = kJobWarning,
                                 .set_defaults = &set_job_defaults,
                                 .prepare_for_create = &prepare_job_for_create,
                                 .validate_status = &validation::validate_job_status,
                                 .warnings = &warn_of_job},
                    .rules = &kJobRules,
                    .print = &print_job};

}  // namespace tabernetes::registry::kinds

// Cells of Job and CronJob. Upstream 1.36: printers/internalversion/printers.go.
#include <string>

#include "json/access.h"
#include "registry/conditions.h"
#include "registry/kinds/printers.h"
#include "registry/table/cell_text.h"
#include "registry/table/row.h"

namespace tabernetes::registry {
namespace {

using json::Value;

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
  return end.empty() ? row.age_of(start) : span_text(start, end);
}

std::string_view suspend_text(const Value& job) {
  if (!has(job, {"spec", "suspend"})) return kUnset;
  return bool_at(job, {"spec", "suspend"}) ? "True" : "False";
}

}  // namespace

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

void print_cron_job(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "schedule"}));
  row.text(text_if_set(object, {"spec", "timeZone"}, kNone));
  row.text(suspend_text(object));
  row.number(items_at(object, {"status", "active"}).size());
  const std::string_view last = text_at(object, {"status", "lastScheduleTime"});
  row.text(last.empty() ? std::string(kNone) : row.age_of(last));
  row.age(object);
  const auto containers =
      items_at(object, {"spec", "jobTemplate", "spec", "template", "spec", "containers"});
  row.text(container_names(containers));
  row.text(container_images(containers));
  row.text(selector_text(object.at({"spec", "jobTemplate", "spec", "selector"})));
}

}  // namespace tabernetes::registry

// CronJob of batch. Source: upstream 1.36 pkg/apis/batch/validation.
#include <string>

#include "json/access.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kCronJobRules, R"(
on create update
 spec
  @schedule
  startingDeadlineSeconds min:0
  ?~timeZone
   timeZone given @time-zone
  concurrencyPolicy required enum:Allow,Forbid,Replace
  jobTemplate.spec
   &job-spec
   selector given bad "`selector` will be auto-generated"
   manualSelector
    ?=true
     . enum:nil,false
  successfulJobsHistoryLimit,failedJobsHistoryLimit min:0
)");

TAB_DEFAULTS(kCronJobDefaults, R"(
spec made
 jobTemplate made
  spec made
   template made @template-defaults
 concurrencyPolicy default=Allow
 suspend fill=false
 successfulJobsHistoryLimit fill=3
 failedJobsHistoryLimit fill=1
)");

namespace {

using json::Value;

std::string_view suspend_text(const Value& job) {
  if (!has(job, {"spec", "suspend"})) return kUnset;
  return bool_at(job, {"spec", "suspend"}) ? "True" : "False";
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

}  // namespace

const Kind kCronJobKind{.group = "batch",
                        .kind = "CronJob",
                        .strategy = {.names = {.max_length = 52},
                                     .meta_passes = {"CF", "UF", ""},
                                     .generation = Generation::kSpec,
                                     .warnings = &warn_of_cron_job},
                        .rules = &kCronJobRules,
                        .defaults = &kCronJobDefaults,
                        .print = &print_cron_job};

}  // namespace tabernetes::registry::kinds

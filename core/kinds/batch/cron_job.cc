// CronJob of batch. Source: upstream 1.36 pkg/apis/batch/validation.
#include <string>

#include "base/text/ascii.h"
#include "base/time/cron_schedule.h"
#include "base/time/time_zone.h"
#include "json/access.h"
#include "kinds/batch/job_spec.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

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

void schedule(const Place& place) {
  const Field& spec = place.now;
  const std::string_view old_schedule =
      place.old == nullptr ? std::string_view() : place.old->string_at("schedule");
  const Field schedule = spec["schedule"];
  if (!schedule.require()) return;
  const auto has_zone = [](std::string_view text) {
    return text.find("TZ") != std::string_view::npos;
  };
  std::string error;
  if (!CronSchedule::parse(schedule.text(), error)) schedule.invalid(error);
  if (!has_zone(schedule.text())) return;
  if (!has_zone(old_schedule)) {
    schedule.invalid("cannot use TZ or CRON_TZ in schedule, use timeZone field instead");
  } else if (spec.has("timeZone")) {
    schedule.invalid("cannot use both timeZone field and TZ or CRON_TZ in schedule");
  }
}

bool is_zone_part(std::string_view part) {
  if (part.empty() || part.size() > 14 || part == "." || part == ".." || part[0] == '-') {
    return false;
  }
  for (const char c : part) {
    if (!is_letter_or_digit(c) && std::string_view("._-+").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

void time_zone(const Place& place) {
  const Field& zone = place.now;
  if (zone.text().empty()) return zone.invalid("timeZone must be nil or non-empty string");
  const std::string unknown = "unknown time zone " + std::string(zone.text());
  for (std::string_view rest = zone.text();;) {
    const std::size_t slash = rest.find('/');
    if (!is_zone_part(rest.substr(0, slash))) return zone.invalid(unknown);
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  if (equals_ignoring_case(zone.text(), "local")) {
    zone.invalid(
        "timeZone must be an explicit time zone as defined in "
        "https://www.iana.org/time-zones");
  }
  if (const std::string fault = time_zone_fault(zone.text()); !fault.empty()) zone.invalid(fault);
}

void warn_of_cron_job(const Field& object, const Value* old, Warnings& out) {
  const Field spec = object["spec"];
  const Field job = spec["jobTemplate"];
  if (old == nullptr) warn_of_name(object, kPodNames, out);
  if (old == nullptr || !same_generation(object, *old)) warn_of_job_spec(job["spec"], out);
  if (old != nullptr && spec.text_at("schedule").find("TZ") != std::string_view::npos) {
    out.add(
        {"cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see "
         "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more "
         "details"});
  }
}

}  // namespace

extern const NamedCheck kCronJobChecks[] = {
    {"schedule", &schedule},
    {"time-zone", &time_zone},
};

extern const Kind kCronJobKind{.group = "batch",
                               .kind = "CronJob",
                               .strategy = {.names = {.max_length = 52},
                                            .meta_passes = {"CF", "UF", ""},
                                            .generation = Generation::kSpec,
                                            .warnings = &warn_of_cron_job},
                               .rules = &kCronJobRules,
                               .defaults = &kCronJobDefaults,
                               .print = &print_cron_job};

}  // namespace tabernetes::registry::kinds

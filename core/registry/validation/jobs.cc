#include "registry/validation/jobs.h"

#include <string>

#include "base/ascii.h"
#include "base/cron_schedule.h"
#include "base/time_zone.h"
#include "json/equality.h"
#include "registry/validation/formats.h"
#include "registry/validation/internal_form.h"
#include "registry/validation/job_parts.h"
#include "registry/validation/pod.h"
#include "registry/validation/selectors.h"
#include "registry/validation/workload_parts.h"

namespace tabernetes::registry::validation {
namespace {

using json::Arena;
using json::Value;

constexpr std::int64_t kManyCompletions = 100000;
constexpr std::int64_t kMostParallel = 100000;
constexpr std::int64_t kMostFailed = 100000;
constexpr std::int64_t kMostWithMany = 10000;
constexpr std::string_view kUidLabel = "batch.kubernetes.io/controller-uid";
constexpr std::string_view kNameLabel = "batch.kubernetes.io/job-name";

void at_most(const Field& field, std::int64_t most, std::string_view when) {
  if (field.number() <= most) return;
  field.invalid("must be less than or equal to " + std::to_string(most) + std::string(when));
}

void validate_indexed(const Field& spec) {
  const Field completions = spec["completions"];
  const Field parallelism = spec["parallelism"];
  const Field failed = spec["maxFailedIndexes"];
  if (!completions.present()) completions.required("when completion mode is Indexed");
  at_most(parallelism, kMostParallel, " when completion mode is Indexed");
  if (completions.present() && failed.number() > completions.number()) {
    failed.invalid("must be less than or equal to completions");
  }
  at_most(failed, kMostFailed, "");
  if (completions.number() <= kManyCompletions || !spec.has("backoffLimitPerIndex")) return;
  constexpr std::string_view kWhen =
      " when completions are above 100000 and used with backoff limit per index";
  if (!failed.present()) failed.required("must be specified when completions is above 100000");
  at_most(parallelism, kMostWithMany, kWhen);
  at_most(failed, kMostWithMany, kWhen);
}

void validate_mode(const Field& spec) {
  const Field mode = spec["completionMode"];
  mode.one_of_or_absent("NonIndexed,Indexed");
  if (is_indexed(spec)) return validate_indexed(spec);
  if (mode.present() && !mode.is("NonIndexed")) return;
  for (const std::string_view name : {"backoffLimitPerIndex", "maxFailedIndexes"}) {
    if (spec.has(name)) spec[name].invalid("requires indexed completion mode");
  }
}

void validate_manager(const Field& manager) {
  if (!manager.present()) return;
  if (manager.require()) manager.invalid(find_format("prefixed-path")(manager.text()));
  if (manager.text().size() > 63) manager.too_long(63);
}

void validate_restarts(const Field& spec) {
  const Field tmpl = spec["template"];
  const Field pod = tmpl["spec"];
  const Field policy = pod["restartPolicy"];
  if (policy.is("Always") || policy.text().empty()) {
    policy.required("valid values: \"OnFailure\", \"Never\"");
  } else if (policy.one_of("OnFailure,Never") && spec.has("podFailurePolicy") &&
             !policy.is("Never")) {
    policy.invalid("only \"Never\" is supported when podFailurePolicy is specified");
  }
}

// --- The selector, which the server makes unless told not to

void validate_label(const Field& tmpl, std::string_view key, std::string_view expected) {
  const Field metadata = tmpl["metadata"];
  const Field labels = metadata["labels"];
  const Field label = labels.key(key);
  const std::string must = "must be '" + std::string(expected) + "'";
  if (!label.present()) {
    label.required(must);
  } else if (!label.is(expected)) {
    label.invalid_as(labels.printed(), must);
  }
}

void validate_generated_selector(const Field& job, bool prefixed) {
  const Field spec = job["spec"];
  const Field selector = spec["selector"];
  if (spec["manualSelector"].flag() || !selector.present()) return;
  const Field metadata = job["metadata"];
  const std::string_view uid = metadata.text_at("uid");
  const std::string_view name = metadata.text_at("name");
  const Field tmpl = spec["template"];
  validate_label(tmpl, "controller-uid", uid);
  validate_label(tmpl, "job-name", name);
  Arena arena;
  Value expected = Value::object(arena);
  expected.append(arena, "controller-uid", Value::string(uid));
  expected.append(arena, "job-name", Value::string(name));
  if (prefixed) {
    validate_label(tmpl, kUidLabel, uid);
    validate_label(tmpl, kNameLabel, name);
    expected.append(arena, kUidLabel, Value::string(uid));
    expected.append(arena, kNameLabel, Value::string(name));
  }
  field::ErrorList ignored;
  const Field quiet(*selector.value(), ignored);
  if (validate_label_selector(quiet) && !selects(quiet, Field(expected, ignored))) {
    selector.invalid("`selector` not auto-generated");
  }
}

void validate_spec_and_selector(const Field& spec) {
  validate_job_spec(spec);
  const Field selector = spec["selector"];
  if (!selector.present()) selector.required();
  if (validate_label_selector(selector)) validate_template_labels(selector, spec["template"]);
}

void validate_with_labels(const Field& job, bool prefixed) {
  validate_generated_selector(job, prefixed);
  const Field spec = job["spec"];
  validate_spec_and_selector(spec);
  const std::int64_t completions = spec.number_at("completions");
  if (!is_indexed(spec) || completions <= 0) return;
  const Field metadata = job["metadata"];
  const Field name = metadata["name"];
  const std::string host = std::string(name.text()) + "-" + std::to_string(completions - 1);
  if (!dns1123_label_faults(host).empty()) {
    name.invalid("will not able to create pod with invalid DNS label: " + host);
  }
}

// --- Changes

bool has_condition(const Field& job, std::string_view type, std::string_view status = "True") {
  const Field job_status = job["status"];
  const Field conditions = job_status["conditions"];
  for (const Field condition : conditions.items()) {
    if (condition["type"].is(type) && condition["status"].is(status)) return true;
  }
  return false;
}

// Suspended, nothing runs, and it had not begun or says that it is suspended.
bool may_change_template(const Field& job) {
  const Field spec = job["spec"];
  const Field status = job["status"];
  return spec["suspend"].flag() && status.number_at("active") == 0 &&
         (!status.has("startTime") || has_condition(job, "Suspended"));
}

void take(Value& to, const Field& from, std::string_view name, Arena& arena) {
  if (from.has(name)) {
    to.set(arena, name, *from.find(name));
  } else {
    to.erase(name);
  }
}

// `old` with what may change as it is in `now`: where the pods run, and their labels.
Value with_placement(const Field& now, const Field& old, Arena& arena) {
  Value tmpl = old.value()->clone(arena);
  const Field metadata = now["metadata"];
  Value* meta = tmpl.find("metadata");
  if (meta == nullptr) {
    tmpl.set(arena, "metadata", Value::object(arena));
    meta = tmpl.find("metadata");
  }
  take(*meta, metadata, "annotations", arena);
  take(*meta, metadata, "labels", arena);
  if (meta->size() == 0 && !metadata.present()) tmpl.erase("metadata");
  const Field spec = now["spec"];
  Value* pod = tmpl.find("spec");
  if (pod == nullptr) return tmpl;
  for (const std::string_view name : {"nodeSelector", "tolerations", "schedulingGates"}) {
    take(*pod, spec, name, arena);
  }
  const Field affinity = spec["affinity"];
  Value* before = pod->find("affinity");
  if (before == nullptr && affinity.present()) {
    pod->set(arena, "affinity", Value::object(arena));
    before = pod->find("affinity");
  }
  if (before != nullptr) {
    take(*before, affinity, "nodeAffinity", arena);
    if (before->size() == 0 && !affinity.present()) pod->erase("affinity");
  }
  return tmpl;
}

// `old` with the resources of `now`, container by container.
Value with_resources(const Field& now, const Value& old, Arena& arena) {
  Value spec = old.clone(arena);
  for (const std::string_view name : {"containers", "initContainers"}) {
    const Field containers = now[name];
    const Value* before = spec.find(name);
    if (before == nullptr || before->size() != containers.size()) continue;
    for (const Field container : containers.items()) {
      Value& same = before->items()[container.index()];
      if (same.string_at("name") == container.text_at("name")) {
        take(same, container, "resources", arena);
      }
    }
  }
  return spec;
}

void validate_template_change(const Field& job, const Field& old) {
  Arena arena;
  const Field spec = job["spec"];
  const Field before = old["spec"];
  const Field tmpl = spec["template"];
  const Field old_tmpl = before["template"];
  const bool changes = may_change_template(old);
  const Value allowed = changes ? with_placement(tmpl, old_tmpl, arena) : *old_tmpl.value();
  constexpr std::string_view kImmutable = "field is immutable";
  if (!changes) {
    if (!json::deep_equal(*tmpl.value(), allowed)) {
      tmpl.invalid_as(printed_struct(tmpl, "core.v1.PodTemplateSpec"), kImmutable);
    }
    return;
  }
  const Field pod = tmpl["spec"];
  const Value* allowed_pod = allowed.find("spec");
  if (allowed_pod == nullptr || pod.value() == nullptr) return;
  if (!json::deep_equal(*pod.value(), with_resources(pod, *allowed_pod, arena))) {
    pod.invalid_as(printed_struct(pod, "core.v1.PodSpec"), kImmutable);
  }
}

void validate_completions_change(const Field& spec, const Field& old) {
  const Field completions = spec["completions"];
  if (!is_indexed(spec)) {
    completions.immutable(old["completions"]);
  } else if (completions.present() && !completions.same(old["completions"]) &&
             completions.number() != spec.number_at("parallelism")) {
    completions.invalid("can only be modified in tandem with spec.parallelism");
  }
}

void keep_struct(const Field& now, const Field& old, std::string_view type) {
  if (now.same(old)) return;
  now.invalid_as(now.present() ? printed_struct(now, type) : "null", "field is immutable");
}

// --- Cron jobs

void validate_schedule(const Field& spec, std::string_view old_schedule) {
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
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && std::string_view("0123456789._-+").find(c) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

void validate_time_zone(const Field& zone) {
  if (!zone.present()) return;
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
  if (!is_time_zone(zone.text())) zone.invalid(unknown);
}

void validate_cron_spec(const Field& spec, const Field& old) {
  validate_schedule(spec, old.text_at("schedule"));
  spec["startingDeadlineSeconds"].non_negative();
  if (!spec["timeZone"].same(old["timeZone"])) validate_time_zone(spec["timeZone"]);
  spec["concurrencyPolicy"].require_one_of("Allow,Forbid,Replace");
  const Field tmpl = spec["jobTemplate"];
  const Field job = tmpl["spec"];
  validate_job_spec(job);
  if (job.has("selector")) job["selector"].invalid("`selector` will be auto-generated");
  if (job["manualSelector"].flag()) job["manualSelector"].not_supported("nil,false");
  spec["successfulJobsHistoryLimit"].non_negative();
  spec["failedJobsHistoryLimit"].non_negative();
}

}  // namespace

bool is_indexed(const Field& spec) { return spec["completionMode"].is("Indexed"); }

void validate_job_spec(const Field& spec) {
  for (const std::string_view name :
       {"parallelism", "completions", "activeDeadlineSeconds", "backoffLimit",
        "ttlSecondsAfterFinished", "backoffLimitPerIndex", "maxFailedIndexes"}) {
    spec[name].non_negative();
  }
  if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex")) {
    spec["backoffLimitPerIndex"].required("when maxFailedIndexes is specified");
  }
  validate_manager(spec["managedBy"]);
  validate_mode(spec);
  validate_job_policies(spec);
  validate_pod_template(spec["template"]);
  validate_restarts(spec);
}

void validate_job(const Field& job) { validate_with_labels(job, true); }

void validate_job_update(const Field& job, const Field& old) {
  const Field spec = job["spec"];
  const Field before = old["spec"];
  const Field old_tmpl = before["template"];
  const Field old_metadata = old_tmpl["metadata"];
  const Field labels = old_metadata["labels"];
  validate_with_labels(job,
                       labels.find(kUidLabel) != nullptr && labels.find(kNameLabel) != nullptr);
  // Upstream goes through the spec twice.
  validate_spec_and_selector(spec);
  validate_completions_change(spec, before);
  spec["selector"].immutable(before["selector"]);
  validate_template_change(job, old);
  spec["completionMode"].immutable(before["completionMode"]);
  keep_struct(spec["podFailurePolicy"], before["podFailurePolicy"], "batch.v1.PodFailurePolicy");
  spec["backoffLimitPerIndex"].immutable(before["backoffLimitPerIndex"]);
  spec["managedBy"].immutable(before["managedBy"]);
  keep_struct(spec["successPolicy"], before["successPolicy"], "batch.v1.SuccessPolicy");
}

void validate_cron_job(const Field& job) {
  const Value none;
  field::ErrorList ignored;
  validate_cron_spec(job["spec"], Field(none, ignored));
}

void validate_cron_job_update(const Field& job, const Field& old) {
  validate_cron_spec(job["spec"], old["spec"]);
}

}  // namespace tabernetes::registry::validation

// Checks of jobs and their changes. Source: upstream 1.36 pkg/apis/batch/validation/validation.go,
// pkg/registry/batch/job/strategy.go.
#include <string>

#include "json/equality.h"
#include "kinds/batch/job_spec.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/shared/selectors.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kUidLabel = "batch.kubernetes.io/controller-uid";
constexpr std::string_view kJobNameLabel = "batch.kubernetes.io/job-name";

// --- The selector, which the server generates unless manualSelector is set

void validate_label(const Field& tmpl, std::string_view key, std::string_view expected) {
  const Field metadata = tmpl["metadata"];
  const Field labels = metadata["labels"];
  const Field label = labels.key(key);
  const std::string must = "must be '" + std::string(expected) + "'";
  if (!label.present()) {
    label.required(must);
  } else if (!label.is(expected)) {
    label.invalid_printed(labels.printed(), must);
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
    validate_label(tmpl, kJobNameLabel, name);
    expected.append(arena, kUidLabel, Value::string(uid));
    expected.append(arena, kJobNameLabel, Value::string(name));
  }
  field::ErrorList ignored;
  const Field quiet(*selector.value(), ignored);
  if (validate_label_selector(quiet) && !selects(quiet, Field(expected, ignored))) {
    selector.invalid("`selector` not auto-generated");
  }
}

void validate_spec_and_selector(const Field& spec) {
  kJobSpecRules.check_alone(spec);
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

void new_job(const Place& place) { validate_with_labels(place.now, true); }

// --- Changes

bool has_condition(const Field& job, std::string_view type, std::string_view status = "True") {
  const Field job_status = job["status"];
  const Field conditions = job_status["conditions"];
  for (const Field condition : conditions.items()) {
    if (condition["type"].is(type) && condition["status"].is(status)) return true;
  }
  return false;
}

// Returns true if the job is suspended, has no active pods, and was not started or has the
// condition Suspended.
bool may_change_template(const Field& job) {
  const Field spec = job["spec"];
  const Field status = job["status"];
  return spec["suspend"].flag() && status.number_at("active") == 0 &&
         (!status.has("startTime") || has_condition(job, "Suspended"));
}

// Returns `old` with the mutable scheduling fields and labels of `now`.
Value with_scheduling_of(const Field& now, const Field& old, Arena& arena) {
  Value tmpl = old.value()->clone(arena);
  const Field metadata = now["metadata"];
  Value* meta = tmpl.find("metadata");
  if (meta == nullptr) {
    tmpl.set(arena, "metadata", Value::object(arena));
    meta = tmpl.find("metadata");
  }
  take_member(*meta, metadata, "annotations", arena);
  take_member(*meta, metadata, "labels", arena);
  if (meta->size() == 0 && !metadata.present()) tmpl.erase("metadata");
  const Field spec = now["spec"];
  Value* pod = tmpl.find("spec");
  if (pod == nullptr) return tmpl;
  for (const std::string_view name : {"nodeSelector", "tolerations", "schedulingGates"}) {
    take_member(*pod, spec, name, arena);
  }
  const Field affinity = spec["affinity"];
  Value* before = pod->find("affinity");
  if (before == nullptr && affinity.present()) {
    pod->set(arena, "affinity", Value::object(arena));
    before = pod->find("affinity");
  }
  if (before != nullptr) {
    take_member(*before, affinity, "nodeAffinity", arena);
    if (before->size() == 0 && !affinity.present()) pod->erase("affinity");
  }
  return tmpl;
}

// Returns `old` with the containers' resources of `now`.
Value with_resources(const Field& now, const Value& old, Arena& arena) {
  Value spec = old.clone(arena);
  for (const std::string_view name : {"containers", "initContainers"}) {
    const Field containers = now[name];
    const Value* before = spec.find(name);
    if (before == nullptr || before->size() != containers.size()) continue;
    for (const Field container : containers.items()) {
      Value& same = before->items()[container.index()];
      if (same.string_at("name") == container.text_at("name")) {
        take_member(same, container, "resources", arena);
      }
    }
  }
  return spec;
}

void template_change(const Place& place) {
  const Field& job = place.now;
  const Field old(*place.old, job.errors());
  Arena arena;
  const Field spec = job["spec"];
  const Field before = old["spec"];
  const Field tmpl = spec["template"];
  const Field old_tmpl = before["template"];
  const bool changes = may_change_template(old);
  const Value allowed = changes ? with_scheduling_of(tmpl, old_tmpl, arena) : *old_tmpl.value();
  if (!changes) {
    if (!json::deep_equal(*tmpl.value(), allowed)) {
      tmpl.invalid_printed(print_internal(tmpl, "core.v1.PodTemplateSpec"), field::kImmutable);
    }
    return;
  }
  const Field pod = tmpl["spec"];
  const Value* allowed_pod = allowed.find("spec");
  if (allowed_pod == nullptr || pod.value() == nullptr) return;
  if (!json::deep_equal(*pod.value(), with_resources(pod, *allowed_pod, arena))) {
    pod.invalid_printed(print_internal(pod, "core.v1.PodSpec"), field::kImmutable);
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

void changed_job(const Place& place) {
  const Field& job = place.now;
  const Field old(*place.old, job.errors());
  const Field spec = job["spec"];
  const Field before = old["spec"];
  const Field old_tmpl = before["template"];
  const Field old_metadata = old_tmpl["metadata"];
  const Field labels = old_metadata["labels"];
  validate_with_labels(job,
                       labels.find(kUidLabel) != nullptr && labels.find(kJobNameLabel) != nullptr);
  // Upstream validates the spec twice.
  validate_spec_and_selector(spec);
  validate_completions_change(spec, before);
}

}  // namespace

extern const NamedCheck kJobValidationChecks[] = {
    {"new-job", &new_job},
    {"changed-job", &changed_job},
    {"template-change", &template_change},
};

}  // namespace tabernetes::registry::kinds

#include "kinds/defaults_workloads.h"

#include <string>

#include "base/text/ascii.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "kinds/defaults_pod.h"
#include "kinds/defaults_volume.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";

// Returns the spec with the defaults of its pod template.
Value& fill_workload(Value& object, Arena& arena) {
  Value& spec = object_or_new(object, "spec", arena);
  set_pod_template_defaults(object_or_new(spec, "template", arena), arena);
  return spec;
}

// Copies the template's labels to an object without labels. The map is shared, so that labels which
// the Job strategy adds to the template appear on the Job too.
void copy_template_labels(Value& object, const Value& spec, Arena& arena) {
  const Value* labels = spec.at({"template", "metadata", "labels"});
  if (labels == nullptr || labels->size() == 0) return;
  Value& metadata = object_or_new(object, "metadata", arena);
  const Value* own = metadata.find("labels");
  if (own == nullptr || own->size() == 0) metadata.set(arena, "labels", Value(*labels));
}

void set_template_generation(Value& object, std::string_view number, Arena& arena) {
  Value& metadata = object_or_new(object, "metadata", arena);
  object_or_new(metadata, "annotations", arena)
      .set(arena, kTemplateGeneration, Value::string(arena.copy(number)));
}

}  // namespace

void set_daemon_set_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  // The kind's conversion always writes it.
  if (object.at({"metadata", "annotations", kTemplateGeneration}) == nullptr) {
    set_template_generation(object, "0", arena);
  }
}

void set_stateful_set_defaults(const HookContext& context, Value& object) {
  if (!context.gates.enabled("MaxUnavailableStatefulSet")) return;
  Value* update = object_in(object_or_new(object, "spec", context.arena), "updateStrategy");
  if (update == nullptr || update->string_at("type") != "RollingUpdate") return;
  if (Value* rolling = object_in(*update, "rollingUpdate")) {
    fill_int(*rolling, "maxUnavailable", 1, context.arena);
  }
}

void prepare_daemon_set_subresource(const HookContext& context, Subresource, Value& object,
                                    const Value& old) {
  prepare_daemon_set_for_update(context, object, old);
}

void prepare_daemon_set_for_create(const HookContext& context, Value& object) {
  set_template_generation(object, "1", context.arena);
}

void prepare_daemon_set_for_update(const HookContext& context, Value& object, const Value& old) {
  const Value* counted = old.at({"metadata", "annotations", kTemplateGeneration});
  std::int64_t count = 0;
  if (counted != nullptr && counted->is_string()) {
    for (const char digit : counted->as_string()) {
      if (!is_digit(digit) || count > INT32_MAX) break;
      count = count * 10 + (digit - '0');
    }
  }
  const Value* before = old.at({"spec", "template"});
  const Value* after = object.at({"spec", "template"});
  const bool same = before != nullptr && after != nullptr && json::deep_equal(*before, *after);
  if (!same) ++count;
  set_template_generation(object, std::to_string(count), context.arena);
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

void set_replication_controller_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  Value& spec = object_or_new(object, "spec", arena);
  fill_int(spec, "replicas", 1, arena);
  Value* pods = object_in(spec, "template");
  if (pods == nullptr) return;
  set_pod_template_defaults(*pods, arena);
  const Value* labels = pods->at({"metadata", "labels"});
  if (labels != nullptr && labels->size() > 0) {
    const Value* selector = spec.find("selector");
    if (selector == nullptr || selector->size() == 0) {
      spec.set(arena, "selector", labels->clone(arena));
    }
    copy_template_labels(object, spec, arena);
  }
}

}  // namespace tabernetes::registry::kinds

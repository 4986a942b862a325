// DaemonSet of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include <string>

#include "base/text/ascii.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "kinds/apps/int_or_percent.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/row/kind.h"
#include "kinds/shared/selectors.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kDaemonSetRules, R"(
on update
 spec.selector immutable
on create update
 spec
  @daemon-selector
  template @pod-template
  template.spec
   restartPolicy enum:Always
   activeDeadlineSeconds given deny "activeDeadlineSeconds in DaemonSet is not Supported"
  minReadySeconds min:0
  updateStrategy
   ?type=RollingUpdate
    rollingUpdate present @rolling-daemons
   else ?type!=OnDelete
    . unsupported=#apps.v1.DaemonSetUpdateStrategy:RollingUpdate,OnDelete
  revisionHistoryLimit min:0
on status
 status
  currentNumberScheduled,numberMisscheduled,desiredNumberScheduled,numberReady,observedGeneration,updatedNumberScheduled,numberAvailable,numberUnavailable,collisionCount min:0
  collisionCount @not-decremented
)");

TAB_DEFAULTS(kDaemonSetDefaults, R"(
spec made
 template made @template-defaults
 updateStrategy made
  type default=RollingUpdate
  ?type=RollingUpdate
   rollingUpdate made
    maxUnavailable fill=1
    maxSurge fill=0
 revisionHistoryLimit fill=10
)");

namespace {

using json::Arena;
using json::Value;

constexpr std::string_view kTemplateGeneration = "deprecated.daemonset.template.generation";

void set_template_generation(Value& object, std::string_view number, Arena& arena) {
  Value& metadata = object_or_new(object, "metadata", arena);
  object_or_new(metadata, "annotations", arena)
      .set(arena, kTemplateGeneration, Value::string(arena.copy(number)));
}

void set_daemon_set_defaults(const HookContext& context, Value& object) {
  Arena& arena = context.arena;
  // The kind's conversion always writes it.
  if (object.at({"metadata", "annotations", kTemplateGeneration}) == nullptr) {
    set_template_generation(object, "0", arena);
  }
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

void prepare_daemon_set_subresource(const HookContext& context, Subresource, Value& object,
                                    const Value& old) {
  prepare_daemon_set_for_update(context, object, old);
}

void daemon_selector(const Place& place) {
  const Field selector = place.now["selector"];
  if (validate_label_selector(selector)) {
    validate_template_labels(selector, place.now["template"]);
  }
  if (selector.present() && selector["matchLabels"].empty() &&
      selector["matchExpressions"].empty()) {
    selector.invalid("empty selector is invalid for daemonset");
  }
}

void rolling_daemons(const Place& place) {
  const Field& rolling = place.now;
  const Field unavailable = rolling["maxUnavailable"];
  const Field surge = rolling["maxSurge"];
  for (const Field* share : {&unavailable, &surge}) validate_int_or_percent(*share);
  for (const Field* share : {&unavailable, &surge}) validate_at_most_100_percent(*share);
  if (int_or_percent_value(unavailable) != 0 && int_or_percent_value(surge) != 0) {
    surge.invalid("may not be set when maxUnavailable is non-zero");
  } else if (int_or_percent_value(unavailable) == 0 && int_or_percent_value(surge) == 0) {
    unavailable.required("cannot be 0 when maxSurge is 0");
  }
}

void warn_of_daemon_set(const Field& object, const Value* old, Warnings& out) {
  constexpr std::string_view kGeneration = "deprecated.daemonset.template.generation";
  const Field metadata = object["metadata"];
  if (old != nullptr) {
    const Value* before = old->at({"metadata", "annotations", kGeneration});
    if (before != nullptr && before->is_string() &&
        before->as_string() == metadata["annotations"].text_at(kGeneration)) {
      return;
    }
  }
  const Field spec = object["spec"];
  warn_of_pod_at(spec["template"], true, out);
}

void print_daemon_set(const Value& object, Row& row) {
  row.name(object);
  row.number(number_at(object, {"status", "desiredNumberScheduled"}));
  row.number(number_at(object, {"status", "currentNumberScheduled"}));
  row.number(number_at(object, {"status", "numberReady"}));
  row.number(number_at(object, {"status", "updatedNumberScheduled"}));
  row.number(number_at(object, {"status", "numberAvailable"}));
  row.text(labels_text(object.at({"spec", "template", "spec", "nodeSelector"})));
  row.age(object);
  print_template_containers(object, row);
  row.text(selector_text(object.at({"spec", "selector"})));
}

}  // namespace

extern const NamedCheck kDaemonSetChecks[] = {
    {"daemon-selector", &daemon_selector},
    {"rolling-daemons", &rolling_daemons},
};

extern const Kind kDaemonSetKind{
    .group = "apps",
    .kind = "DaemonSet",
    .strategy = {.meta_passes = {"CF", "UF", "UF"},
                 .field_annotation = "deprecated.daemonset.template.generation",
                 .generation = Generation::kSpec,
                 .set_defaults = &set_daemon_set_defaults,
                 .prepare_for_create = &prepare_daemon_set_for_create,
                 .prepare_for_update = &prepare_daemon_set_for_update,
                 .prepare_subresource = &prepare_daemon_set_subresource,
                 .warnings = &warn_of_daemon_set},
    .rules = &kDaemonSetRules,
    .defaults = &kDaemonSetDefaults,
    .print = &print_daemon_set};

}  // namespace tabernetes::registry::kinds

// Checks of workloads: selectors, templates, rolling updates. Source: upstream 1.36
// pkg/apis/apps/validation/validation.go, pkg/apis/core/validation.

#include <string>

#include "kinds/validation/checks.h"
#include "kinds/validation/pod.h"
#include "kinds/validation/pod_parts.h"
#include "kinds/validation/selectors.h"
#include "kinds/validation/workload_parts.h"
#include "rules/name_table.h"

namespace tabernetes::registry::validation {
namespace {

using json::Arena;
using json::Value;

// --- Templates

void pod_template(const Place& place) { validate_pod_template(place.now); }

void validate_always_running(const Field& tmpl, std::string_view kind) {
  const Field spec = tmpl["spec"];
  spec["restartPolicy"].one_of("Always");
  const Field deadline = spec["activeDeadlineSeconds"];
  if (deadline.present()) {
    deadline.forbidden("activeDeadlineSeconds in " + std::string(kind) + " is not Supported");
  }
}

// Returns false if the selector is missing or invalid.
bool validate_selector(const Field& selector, std::string_view kind) {
  if (!selector.present()) {
    selector.required();
    return true;  // valid, although it selects nothing
  }
  const bool sound = validate_label_selector(selector);
  if (selector["matchLabels"].empty() && selector["matchExpressions"].empty()) {
    selector.invalid("empty selector is invalid for " + std::string(kind));
  }
  return sound;
}

void replicated(const Place& place) {
  const Field& spec = place.now;
  const Field selector = spec["selector"];
  const Field tmpl = spec["template"];
  if (!validate_selector(selector, "deployment")) {
    return selector.invalid("invalid label selector");
  }
  validate_template_labels(selector, tmpl);
  validate_pod_template(tmpl);
  validate_always_running(tmpl, "ReplicaSet");
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

bool nothing_selected(const Place& place) { return place.now["selector"].empty(); }

void controller_template(const Place& place) {
  const Field metadata = place.now["metadata"];
  const Field labels = metadata["labels"];
  const Field selector = place.around->now["selector"];
  if (!selects_by_map(selector, labels)) not_selected(labels);
  validate_pod_template(place.now);
}

// Returns the template as the controller will use it: with generated pod names, and with the
// volumes of the claims.
Value used_template(const Field& spec, Arena& arena) {
  const Field tmpl = spec["template"];
  const Field pod = tmpl["spec"];
  const Field claims = spec["volumeClaimTemplates"];
  if (!pod.present()) return *tmpl.value();
  Value used = tmpl.value()->shallow_copy(arena);
  Value own = pod.value()->shallow_copy(arena);
  own.erase("subdomain");
  own.erase("hostname");
  if (!claims.empty()) {
    NameTable names;
    Value volumes = Value::array(arena);
    for (const Field claim : claims.items()) {
      const Field metadata = claim["metadata"];
      const std::string_view name = metadata.text_at("name");
      if (!names.add(name)) continue;
      Value source = Value::object(arena);
      source.append(arena, "claimName", Value::string(name));
      Value volume = Value::object(arena);
      volume.append(arena, "name", Value::string(name));
      volume.append(arena, "persistentVolumeClaim", source);
      volumes.push_back(arena, volume);
    }
    const Field given = pod["volumes"];
    for (const Field volume : given.items()) {
      if (!names.has(volume.text_at("name"))) volumes.push_back(arena, *volume.value());
    }
    own.set(arena, "volumes", volumes);
  }
  used.set(arena, "spec", own);
  return used;
}

void stateful_template(const Place& at) {
  const Field& spec = at.now;
  const Field selector = spec["selector"];
  if (!validate_selector(selector, "statefulset")) {
    selector.invalid("");
  } else {
    Arena arena;
    const Value used = used_template(spec, arena);
    const Field place = spec.as("template", Field(used, spec.errors()));
    const Field metadata = place["metadata"];
    const Field annotations = place.as("annotations", metadata["annotations"]);
    validate_template_labels(selector, place);
    validate_pod_template(place);
    validate_label_map(place.as("labels", metadata["labels"]));
    validate_annotation_map(annotations);
    validate_pod_annotations(annotations, place["spec"]);
  }
}

// --- Numbers or percentages

void rolling_deployment(const Place& place) {
  const Field& rolling = place.now;
  const Field unavailable = rolling["maxUnavailable"];
  const Field surge = rolling["maxSurge"];
  validate_int_or_percent(unavailable);
  validate_int_or_percent(surge);
  if (int_or_percent_value(unavailable) == 0 && int_or_percent_value(surge) == 0) {
    unavailable.invalid("may not be 0 when `maxSurge` is 0");
  }
  validate_at_most_100_percent(unavailable);
}

void rolling_set(const Place& place) {
  const Field& rolling = place.now;
  rolling["partition"].non_negative();
  const Field unavailable = rolling["maxUnavailable"];
  if (!unavailable.present()) return;
  validate_int_or_percent(unavailable);
  if (int_or_percent_value(unavailable) == 0) unavailable.invalid("cannot be 0");
  validate_at_most_100_percent(unavailable);
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

// --- Changes

// Returns true if every immutable member of `a` is the same in `b`.
bool same_fixed_members(const Field& a, const Field& b) {
  constexpr std::string_view kMayChange =
      "replicas,ordinals,template,updateStrategy,minReadySeconds,revisionHistoryLimit,"
      "persistentVolumeClaimRetentionPolicy";
  for (const Field member : a.items()) {
    if (!listed(kMayChange, member.name()) && !member.same(b[member.name()])) return false;
  }
  return true;
}

void fixed_members(const Place& place) {
  const Field& now = place.now;
  const Value none;
  const Field before(place.old == nullptr ? none : *place.old, now.errors());
  if (same_fixed_members(now, before) && same_fixed_members(before, now)) return;
  now.forbidden(
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
      "'minReadySeconds' are forbidden");
}

void not_decremented(const Place& place) {
  if (place.old == nullptr || !place.old->is_int()) return;
  if (place.now.present() && place.now.number() >= place.old->as_int()) return;
  place.now.invalid_printed(std::to_string(place.now.number()), "cannot be decremented");
}

bool is_object(const Place& place) { return place.now.value()->is_object(); }

}  // namespace

const NamedCheck kWorkloadChecks[] = {
    {"pod-template", &pod_template},
    {"replicated", &replicated},
    {"daemon-selector", &daemon_selector},
    {"controller-template", &controller_template},
    {"stateful-template", &stateful_template},
    {"rolling-deployment", &rolling_deployment},
    {"rolling-set", &rolling_set},
    {"rolling-daemons", &rolling_daemons},
    {"fixed-members", &fixed_members},
    {"not-decremented", &not_decremented},
};

const NamedPredicate kWorkloadPredicates[] = {
    {"nothing-selected", &nothing_selected},
    {"object", &is_object},
};

}  // namespace tabernetes::registry::validation

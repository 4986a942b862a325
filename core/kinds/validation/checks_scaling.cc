// Checks of autoscalers, disruption budgets, priorities, runtime classes, roles and leases. Source:
// upstream 1.36 pkg/apis/autoscaling/validation, policy/validation, apps/validation,
// scheduling/validation, node/validation, rbac/validation, coordination/validation.

#include <string>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "json/equality.h"
#include "kinds/validation/checks.h"
#include "kinds/validation/resource_names.h"
#include "kinds/validation/shared_rules.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::validation {
namespace {

using json::Value;

// --- Autoscalers

void replica_bounds(const Place& place) {
  const Field max = place.now["maxReplicas"];
  const Field min = place.now["minReplicas"];
  if (max.number() == 0) {
    max.required("must be set and greater than 0");
  } else if (max.number() < 0) {
    max.invalid("must be greater than or equal to 1");
  }
  // v1's field, reported with v2's name.
  const Field cpu = place.now["targetCPUUtilizationPercentage"];
  if (cpu.present() && cpu.number() < 1) {
    place.now.as("metrics[0].resource.target.averageUtilization", cpu)
        .invalid("must be greater than 0");
  }
  if (min.present() && max.number() < min.number()) {
    max.invalid_printed(std::to_string(max.number()),
                        "must be greater than or equal to `minReplicas`");
  }
}

// Checks the apiVersion of a reference; upstream: schema.ParseGroupVersion.
void version(const Place& place, bool wants_group) {
  const Field field = place.now["apiVersion"];
  const std::string_view text = field.text();
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos && text.find('/', slash + 1) != std::string_view::npos) {
    field.invalid("unexpected GroupVersion string: " + std::string(text));
  } else if (wants_group && (slash == std::string_view::npos || slash == 0)) {
    field.invalid("apiVersion must specify API group");
  }
}

void any_version(const Place& place) { version(place, false); }

void group_version(const Place& place) {
  if (place.old != nullptr && place.old->string_at("kind") == place.now.text_at("kind") &&
      place.old->string_at("apiVersion") == place.now.text_at("apiVersion")) {
    return;
  }
  version(place, place.now.text_at("kind") != "ReplicationController");
}

struct MetricSource {
  std::string_view type, field;
  const Rules& rules;
};

// In upstream's order.
constexpr MetricSource kMetricSources[] = {
    {"Object", "object", kObjectSourceRules},
    {"External", "external", kExternalSourceRules},
    {"Pods", "pods", kPodsSourceRules},
    {"Resource", "resource", kResourceSourceRules},
    {"ContainerResource", "containerResource", kContainerSourceRules},
};
constexpr std::string_view kSourceTypes = "ContainerResource,External,Object,Pods,Resource";

void metric(const Place& place) {
  const Field type = place.now["type"];
  if (type.text().empty()) type.required("must specify a metric source type");
  type.one_of(kSourceTypes);
  int present = 0;
  for (const MetricSource& source : kMetricSources) {
    const Field field = place.now[source.field];
    if (!field.present() || ++present > 1) continue;
    const Value* old = place.old == nullptr ? nullptr : place.old->find(source.field);
    source.rules.check({field, old, place.write, place.root});
  }
  bool known = false;
  for (const MetricSource& source : kMetricSources) {
    if (!type.is(source.type)) continue;
    known = true;
    if (!place.now.has(source.field)) {
      place.now[source.field].required("must populate information for the given metric source");
    }
  }
  if (!known) type.not_supported(kSourceTypes);
  if (present == 1) return;
  for (const MetricSource& source : kMetricSources) {
    if (place.now.has(source.field) && !type.is(source.type)) {
      place.now[source.field].forbidden("must populate the given metric source only");
    }
  }
}

// Checks an autoscaler that may scale to zero.
void metrics_for_scale_to_zero(const Place& place) {
  for (const Field item : place.now.items()) {
    if (listed("Object,External", item.text_at("type"))) return;
  }
  place.now.forbidden(
      "must specify at least one Object or External metric to support scaling to zero replicas");
}

void container_resource(const Place& place) {
  check_container_resource_name(place.now, place.now.text());
}

// --- Budgets

// Checks a number, or a percentage up to 100%.
void share(const Place& place) {
  const Field& field = place.now;
  if (!field.value()->is_string()) {
    field.non_negative();
    return;
  }
  std::string_view digits = field.text();
  const bool percent = digits.ends_with('%');
  if (percent) digits.remove_suffix(1);
  if (!percent || !is_number(digits)) {
    return field.invalid(
        "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  "
        "or '93%', regex used for validation is '[0-9]+%')");
  }
  while (digits.starts_with('0')) digits.remove_prefix(1);
  if (digits.size() > 3 || (digits.size() == 3 && digits > "100")) {
    field.invalid("must not be greater than 100%");
  }
}

// --- Priorities, runtime classes

void priority(const Place& place) {
  constexpr std::string_view kSystem = "system-";
  const Field metadata = place.now["metadata"];
  const Field name = metadata["name"];
  const std::int64_t value = place.now.number_at("value");
  const std::string text(name.text());
  if (!text.starts_with(kSystem)) {
    if (value > 1000000000) {
      place.now["value"].forbidden(
          "maximum allowed value of a user defined priority is 1000000000");
    }
    return;
  }
  const std::int64_t wanted = text == "system-node-critical"      ? 2000001000
                              : text == "system-cluster-critical" ? 2000000000
                                                                  : 0;
  std::string error;
  if (wanted == 0) {
    error = text + " is not a known system priority class";
  } else if (value != wanted) {
    error = "value of " + text + " PriorityClass must be " + std::to_string(wanted);
  } else if (place.now["globalDefault"].flag()) {
    error = "globalDefault of " + text + " PriorityClass must be false";
  }
  if (error.empty()) return;
  name.forbidden(
      "priority class names with 'system-' prefix are reserved for system use only. error: " +
      error);
}

// Checks resource amounts as limits of a container.
void limits(const Place& place) {
  if (place.now.empty()) return;
  for (const Field limit : place.now.items()) {
    check_container_resource_name(limit, limit.name());
    check_resource_amount(limit, limit.name());
  }
}

void distinct_tolerations(const Place& place) {
  for (const Field item : place.now.items()) {
    bool repeated = false;
    for (std::uint32_t i = 0; i < item.index() && !repeated; ++i) {
      const Value& other = place.now.value()->items()[i];
      repeated = true;
      for (const std::string_view name : {"key", "operator", "value", "effect"}) {
        if (other.string_at(name) != item.text_at(name)) repeated = false;
      }
    }
    if (!repeated) continue;
    item.duplicate_as(print_internal(item, "core.v1.Toleration"));
  }
}

// --- Roles, leases

void mixed_rule(const Place& place) {
  const Field& rule = place.now;
  if (rule["apiGroups"].empty() && rule["resources"].empty() && rule["resourceNames"].empty()) {
    return;
  }
  rule["nonResourceURLs"].invalid(
      "rules cannot apply to both regular resources and non-resource URLs");
}

void sound_selector(const Place& place) {
  const std::size_t before = place.now.errors().size();
  kSelectorRules.check(place);
  if (place.now.errors().size() != before) {
    place.now.invalid_printed("null", "invalid label selector.");
  }
}

}  // namespace

const NamedCheck kScalingChecks[] = {
    {"replica-bounds", &replica_bounds},
    {"any-version", &any_version},
    {"group-version", &group_version},
    {"metric", &metric},
    {"metrics-of-none", &metrics_for_scale_to_zero},
    {"container-resource", &container_resource},
    {"share", &share},
    {"priority", &priority},
    {"limits", &limits},
    {"distinct-tolerations", &distinct_tolerations},
    {"mixed-rule", &mixed_rule},
    {"sound-selector", &sound_selector},
};

}  // namespace tabernetes::registry::validation

// Checks of autoscalers. Source: upstream 1.36 pkg/apis/autoscaling/validation.
#include <string>

#include "kinds/shared/resource_names.h"

namespace tabernetes::registry::kinds {

// scaling
TAB_RULES(kScaleTargetRules, R"(
kind required is:segment
name required is:segment
)");

TAB_RULES(kScalingRules, R"(
stabilizationWindowSeconds given ge:0 "must be greater than or equal to zero" le:3600 "must be less than or equal to 3600"
selectPolicy given enum:Disabled,Max,Min
policies required "must specify at least one Policy"
policies[]
 type enum:Percent,Pods
 value positive
 periodSeconds positive le:1800 "must be less than or equal to 1800"
tolerance @not-negative
)");

TAB_RULES(kMetricTargetRules, R"(
type required "must specify a metric target type"
?type!=Utilization|Value|AverageValue
 type bad "must be either Utilization, Value, or AverageValue"
value @positive
averageValue @positive
averageUtilization given ge:1 "must be greater than 0"
)");

TAB_RULES(kMetricNameRules, R"(
name required "must specify a metric name" is:segment
)");

TAB_RULES(kObjectSourceRules, R"(
describedObject &scale-target @any-version
metric &metric-name
target &metric-target
?!target.value
 ?!target.averageValue
  target.averageValue need "must set either a target value or averageValue"
)");

TAB_RULES(kExternalSourceRules, R"(
metric &metric-name
target &metric-target
?!target.value
 ?!target.averageValue
  target.averageValue need "must set either a target value for metric or a per-pod target"
?target.value
 ?target.averageValue
  target.value deny "may not set both a target value for metric and a per-pod target"
)");

TAB_RULES(kPodsSourceRules, R"(
metric &metric-name
target &metric-target
?!target.averageValue
 target.averageValue need "must specify a positive target averageValue"
)");

TAB_RULES(kResourceTargetRules, R"(
target &metric-target
?!target.averageUtilization
 ?!target.averageValue
  target.averageUtilization need "must set either a target raw value or a target utilization"
?target.averageUtilization
 ?target.averageValue
  target.averageValue deny "may not set both a target raw value and a target utilization"
)");

TAB_RULES(kResourceSourceRules, R"(
name required "must specify a resource name"
&resource-target
)");

TAB_RULES(kContainerSourceRules, R"(
name required "must specify a resource name" @container-resource
container required "must specify a container" is:label
&resource-target
)");

namespace {

using json::Value;

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

// Checks minReplicas, which may be 0 with a feature gate, or if it was before.
void least_replicas(const Place& place) {
  const Field min = place.now["minReplicas"];
  const Value* old = place.old == nullptr ? nullptr : place.old->find("minReplicas");
  const bool was_zero = old != nullptr && old->is_int() && old->as_int() == 0;
  const bool may_be_zero = was_zero || min.capabilities().enabled("HPAScaleToZero");
  if (!min.present() || min.number() >= (may_be_zero ? 0 : 1)) return;
  min.invalid(may_be_zero ? "must be greater than or equal to 0"
                          : "must be greater than or equal to 1");
}

void container_resource(const Place& place) {
  check_container_resource_name(place.now, place.now.text());
}

}  // namespace

extern const NamedCheck kAutoscalerValidationChecks[] = {
    {"replica-bounds", &replica_bounds},
    {"any-version", &any_version},
    {"group-version", &group_version},
    {"metric", &metric},
    {"metrics-of-none", &metrics_for_scale_to_zero},
    {"least-replicas", &least_replicas},
    {"container-resource", &container_resource},
};

}  // namespace tabernetes::registry::kinds

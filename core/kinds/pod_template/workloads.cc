// What objects with a pod template share. Source: upstream 1.36 pkg/apis/apps/validation,
// pkg/apis/core/v1/defaults.go, printers/internalversion/printers.go.
#include "kinds/pod_template/workloads.h"

#include "json/access.h"
#include "json/fill.h"
#include "kinds/pod_template/template.h"
#include "kinds/shared/selectors.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kReplicaCountsRules, R"(
replicas,fullyLabeledReplicas,readyReplicas,availableReplicas,observedGeneration,terminatingReplicas min:0
fullyLabeledReplicas,readyReplicas,availableReplicas le:.replicas "cannot be greater than status.replicas"
availableReplicas le:.readyReplicas "cannot be greater than readyReplicas"
)");

namespace {

using json::Arena;
using json::Value;

void pod_template(const Place& place) { validate_pod_template(place.now); }

}  // namespace

void not_selected(const Field& labels) {
  labels.invalid_printed(labels.empty() ? "null" : labels.printed(),
                         "`selector` does not match template `labels`");
}

void validate_template_labels(const Field& selector, const Field& tmpl) {
  const Field metadata = tmpl["metadata"];
  const Field labels = metadata["labels"];
  if (!selects(selector, labels)) not_selected(labels);
}

void copy_template_labels(Value& object, const Value& spec, Arena& arena) {
  const Value* labels = spec.at({"template", "metadata", "labels"});
  if (labels == nullptr || labels->size() == 0) return;
  Value& metadata = object_or_new(object, "metadata", arena);
  const Value* own = metadata.find("labels");
  if (own == nullptr || own->size() == 0) metadata.set(arena, "labels", Value(*labels));
}

void print_containers(json::Range<Value> containers, Row& row) {
  row.text(container_names(containers));
  row.text(container_images(containers));
}

void print_template_containers(const Value& object, Row& row) {
  print_containers(items_at(object, {"spec", "template", "spec", "containers"}), row);
}

void print_replicas(const Value& object, Row& row) {
  row.name(object);
  row.number(number_at(object, {"spec", "replicas"}));
  row.number(number_at(object, {"status", "replicas"}));
  row.number(number_at(object, {"status", "readyReplicas"}));
  row.age(object);
  print_template_containers(object, row);
}

extern const NamedCheck kWorkloadsChecks[] = {
    {"pod-template", &pod_template},
};

}  // namespace tabernetes::registry::kinds

// ReplicationController. Source: upstream 1.36 pkg/apis/core/validation.
#include "json/access.h"
#include "json/fill.h"
#include "kinds/pod_template/defaults.h"
#include "kinds/pod_template/template.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/row/kind.h"
#include "kinds/shared/selectors.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kReplicationControllerRules, R"(
on create update
 spec
  minReadySeconds min:0
  ?@nothing-selected
   selector need
  replicas min:0
  template present
   @controller-template
   spec
    restartPolicy enum:Always
    activeDeadlineSeconds given deny "activeDeadlineSeconds in ReplicationController is not Supported"
on status
 status &replica-counts
)");

namespace {

using json::Arena;
using json::Value;

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

void controller_template(const Place& place) {
  const Field metadata = place.now["metadata"];
  const Field labels = metadata["labels"];
  const Field selector = place.around->now["selector"];
  if (!selects_by_map(selector, labels)) not_selected(labels);
  validate_pod_template(place.now);
}

bool nothing_selected(const Place& place) { return place.now["selector"].empty(); }

void warn_of_replication_controller(const Field& object, const Value* old, Warnings& out) {
  if (old == nullptr) {
    warn_of_replicas(object, old, out);
  } else if (!same_generation(object, *old)) {
    // Upstream checks the old template.
    field::ErrorList unused;
    const Field before(*old, unused);
    const Field spec = before["spec"];
    warn_of_pod_at(spec["template"], true, out);
  }
}

void print_replication_controller(const Value& object, Row& row) {
  print_replicas(object, row);
  row.text(labels_text(object.at({"spec", "selector"})));
}

}  // namespace

extern const NamedCheck kReplicationControllerChecks[] = {
    {"controller-template", &controller_template},
};

extern const NamedPredicate kReplicationControllerPredicates[] = {
    {"nothing-selected", &nothing_selected},
};

extern const Kind kReplicationControllerKind{
    .group = "",
    .kind = "ReplicationController",
    .strategy = {.meta_passes = {"CF", "UF", "UF"},
                 .etcd_path = "controllers",
                 .generation = Generation::kSpec,
                 .orphans_by_default = true,
                 .set_defaults = &set_replication_controller_defaults,
                 .warnings = &warn_of_replication_controller},
    .rules = &kReplicationControllerRules,
    .print = &print_replication_controller};

}  // namespace tabernetes::registry::kinds

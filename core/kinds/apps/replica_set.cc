// ReplicaSet of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include "json/access.h"
#include "kinds/pod_template/warnings.h"
#include "kinds/pod_template/workloads.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kReplicaSetRules, R"(
on create update
 spec
  replicas,minReadySeconds min:0
  @replicated
on update
 spec.selector immutable
on status
 status &replica-counts
)");

TAB_DEFAULTS(kReplicaSetDefaults, R"(
spec made
 template made @template-defaults
 replicas fill=1
)");

namespace {

using json::Value;

void print_replica_set(const Value& object, Row& row) {
  print_replicas(object, row);
  row.text(selector_text(object.at({"spec", "selector"})));
}

}  // namespace

extern const Kind kReplicaSetKind{.group = "apps",
                                  .kind = "ReplicaSet",
                                  .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                               .generation = Generation::kSpec,
                                               .warnings = &warn_of_replicas},
                                  .rules = &kReplicaSetRules,
                                  .defaults = &kReplicaSetDefaults,
                                  .print = &print_replica_set};

}  // namespace tabernetes::registry::kinds

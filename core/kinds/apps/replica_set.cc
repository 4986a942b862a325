// ReplicaSet of apps. Source: upstream 1.36 pkg/apis/apps/validation.
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

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

const Kind kReplicaSetKind{.group = "apps",
                           .kind = "ReplicaSet",
                           .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                        .generation = Generation::kSpec,
                                        .warnings = &warn_of_replicas},
                           .rules = &kReplicaSetRules,
                           .defaults = &kReplicaSetDefaults,
                           .print = &print_replica_set};

}  // namespace tabernetes::registry::kinds

// ReplicationController. Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/defaults_workloads.h"
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

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

const Kind kReplicationControllerKind{
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

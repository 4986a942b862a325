// PersistentVolumeClaim. Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPersistentVolumeClaimRules, R"(
spec &claim-spec
on update
 spec &claim-spec
 @claim-change
on status
 status
  capacity{} @quantity
  allocatedResourceStatuses @resize-statuses
  allocatedResources @claim-resources
)");

TAB_DEFAULTS(kPersistentVolumeClaimDefaults, R"(
spec made
 volumeMode fill=Filesystem
)");

const Kind kPersistentVolumeClaimKind{.group = "",
                                      .kind = "PersistentVolumeClaim",
                                      .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                                   .returns_deleted_object = true,
                                                   .initial_status = R"({"phase":"Pending"})",
                                                   .warnings = &warn_of_persistent_volume_claim},
                                      .rules = &kPersistentVolumeClaimRules,
                                      .defaults = &kPersistentVolumeClaimDefaults,
                                      .print = &print_persistent_volume_claim};

}  // namespace tabernetes::registry::kinds

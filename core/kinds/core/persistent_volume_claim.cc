// PersistentVolumeClaim. Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/defaults_volume.h"
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {
namespace {

constexpr std::string_view kPersistentVolumeClaimRules = R"(
spec &claim-spec
on update
 spec &claim-spec
 @claim-change
on status
 status
  capacity{} @quantity
  allocatedResourceStatuses @resize-statuses
  allocatedResources @claim-resources
)";

constexpr std::string_view kPersistentVolumeClaimDefaults = R"(
spec made
 volumeMode fill=Filesystem
)";

}  // namespace

const Kind kPersistentVolumeClaimKind{.group = "",
                                      .kind = "PersistentVolumeClaim",
                                      .strategy = {.meta_passes = {"CF", "UFCF", "UF"},
                                                   .returns_deleted_object = true,
                                                   .initial_status = R"({"phase":"Pending"})",
                                                   .admit = &admit_persistent_volume_claim,
                                                   .warnings = &warn_of_persistent_volume_claim},
                                      .rules = kPersistentVolumeClaimRules,
                                      .defaults = kPersistentVolumeClaimDefaults,
                                      .print = &print_persistent_volume_claim};

}  // namespace tabernetes::registry::kinds

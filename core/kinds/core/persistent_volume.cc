// PersistentVolume. Source: upstream 1.36 pkg/apis/core/validation.
#include "kinds/defaults_volume.h"
#include "kinds/kinds.h"
#include "kinds/printers.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPersistentVolumeRules, R"(
spec &volume-spec
on update
 spec &volume-spec
 @volume-change
)");

TAB_DEFAULTS(kPersistentVolumeDefaults, R"(
spec made
 persistentVolumeReclaimPolicy default=Retain
 volumeMode fill=Filesystem
 &source-defaults
)");

const Kind kPersistentVolumeKind{
    .group = "",
    .kind = "PersistentVolume",
    .strategy = {.meta_passes = {"CF", "CFCF", "UF"},
                 .returns_deleted_object = true,
                 .initial_status = R"({"phase":"Pending"})",
                 .prepare_for_create = &prepare_persistent_volume_for_create,
                 .prepare_subresource = &prepare_persistent_volume_subresource,
                 .warnings = &warn_of_persistent_volume},
    .rules = &kPersistentVolumeRules,
    .defaults = &kPersistentVolumeDefaults,
    .print = &print_persistent_volume};

}  // namespace tabernetes::registry::kinds

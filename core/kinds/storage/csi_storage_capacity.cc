// CSIStorageCapacity of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include "kinds/kinds.h"
#include "kinds/warn.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kCSIStorageCapacityRules, R"(
on create update
 nodeTopology given &selector
 storageClassName is:subdomain
 capacity given @not-negative
on update
 nodeTopology immutable
 storageClassName immutable
)");

const Kind kCSIStorageCapacityKind{.group = "storage.k8s.io",
                                   .kind = "CSIStorageCapacity",
                                   .strategy = {.meta_passes = {"CF", "CFUF", ""},
                                                .allow_unconditional_update = false,
                                                .warnings = &warn_of_storage_capacity},
                                   .rules = &kCSIStorageCapacityRules};

}  // namespace tabernetes::registry::kinds

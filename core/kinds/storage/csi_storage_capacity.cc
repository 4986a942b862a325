// CSIStorageCapacity of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include "kinds/row/kind.h"
#include "kinds/shared/node_selectors.h"
#include "registry/kind/warnings.h"

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

namespace {

using json::Value;

void warn_of_storage_capacity(const Field& object, const Value*, Warnings& out) {
  const Field topology = object["nodeTopology"];
  warn_of_node_term(topology, false, out);
  const Field labels = topology["matchLabels"];
  for (const Field label : labels.items()) {
    warn_of_node_label(labels[label.name()], label.name(), out);
  }
}

}  // namespace

extern const Kind kCSIStorageCapacityKind{.group = "storage.k8s.io",
                                          .kind = "CSIStorageCapacity",
                                          .strategy = {.meta_passes = {"CF", "CFUF", ""},
                                                       .allow_unconditional_update = false,
                                                       .warnings = &warn_of_storage_capacity},
                                          .rules = &kCSIStorageCapacityRules};

}  // namespace tabernetes::registry::kinds

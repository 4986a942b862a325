// CSINode of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include "json/access.h"
#include "kinds/kinds.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kCSINodeRules, R"(
spec.drivers[]
 name required maxlen:63 is:lower-subdomain
 nodeID required maxlen:256 "must be 256 characters or less"
 allocatable.count given min:0
 name distinct
 @topology-keys
on update
 @node-drivers-change
)");

namespace {

using json::Value;

void print_csi_node(const Value& object, Row& row) {
  row.name(object);
  row.number(items_at(object, {"spec", "drivers"}).size());
  row.age(object);
}

}  // namespace

const Kind kCSINodeKind{.group = "storage.k8s.io",
                        .kind = "CSINode",
                        .strategy = {.meta_passes = {"CF", "CF", ""},
                                     .allow_unconditional_update = false,
                                     .returns_deleted_object = true},
                        .rules = &kCSINodeRules,
                        .print = &print_csi_node};

}  // namespace tabernetes::registry::kinds

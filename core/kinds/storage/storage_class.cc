// StorageClass of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include <string>

#include "json/access.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kStorageClassRules, R"(
on create update
 provisioner required @lower-qualified
 parameters @parameters
 reclaimPolicy opt enum:Delete,Retain
 volumeBindingMode present enum:Immediate,WaitForFirstConsumer
 allowedTopologies[]
  matchLabelExpressions[]
   values required
   values[] distinct
   key is:qualified
   key distinct
 allowedTopologies @distinct-topologies
on update
 parameters immutable
 provisioner immutable=""
 reclaimPolicy immutable
 volumeBindingMode immutable
)");

TAB_DEFAULTS(kStorageClassDefaults, R"(
reclaimPolicy fill=Delete
volumeBindingMode fill=Immediate
)");

namespace {

using json::Value;

bool is_default_class(const Value& storage_class) {
  for (const std::string_view annotation : {"storageclass.kubernetes.io/is-default-class",
                                            "storageclass.beta.kubernetes.io/is-default-class"}) {
    if (text_at(storage_class, {"metadata", "annotations", annotation}) == "true") return true;
  }
  return false;
}

void print_storage_class(const Value& object, Row& row) {
  std::string name(text_at(object, {"metadata", "name"}));
  if (is_default_class(object)) name += " (default)";
  row.text(name);
  row.text(text_at(object, {"provisioner"}));
  row.text(text_if_set(object, {"reclaimPolicy"}, "Delete"));
  row.text(text_if_set(object, {"volumeBindingMode"}, "Immediate"));
  row.boolean(bool_at(object, {"allowVolumeExpansion"}));
  row.age(object);
}

}  // namespace

const Kind kStorageClassKind{.group = "storage.k8s.io",
                             .kind = "StorageClass",
                             .strategy = {.meta_passes = {"CF", "CFUF", ""},
                                          .returns_deleted_object = true,
                                          .warnings = &warn_of_storage_class},
                             .rules = &kStorageClassRules,
                             .defaults = &kStorageClassDefaults,
                             .print = &print_storage_class};

}  // namespace tabernetes::registry::kinds

// StorageClass of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include <string>

#include "json/access.h"
#include "json/equality.h"
#include "kinds/row/kind.h"
#include "kinds/shared/node_selectors.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

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

// Upstream also compares with one empty term for each term.
void distinct_topologies(const Place& place) {
  const Field& list = place.now;
  for (const Field term : list.items()) {
    const Field expressions = term["matchLabelExpressions"];
    std::uint32_t repeats = expressions.empty() ? list.size() : 0;
    for (std::uint32_t i = 0; i < term.index(); ++i) {
      if (json::deep_equal(list.value()->items()[i], *term.value())) ++repeats;
    }
    for (; repeats > 0; --repeats) expressions.duplicate_as("\"\"");
  }
}

void warn_of_storage_class(const Field& object, const Value*, Warnings& out) {
  const Field topologies = object["allowedTopologies"];
  for (const Field topology : topologies.items()) {
    const Field expressions = topology["matchLabelExpressions"];
    for (const Field expression : expressions.items()) {
      const Field key = expression["key"];
      warn_of_node_label(key, key.text(), out);
    }
  }
}

}  // namespace

extern const NamedCheck kStorageClassChecks[] = {
    {"distinct-topologies", &distinct_topologies},
};

extern const Kind kStorageClassKind{.group = "storage.k8s.io",
                                    .kind = "StorageClass",
                                    .strategy = {.meta_passes = {"CF", "CFUF", ""},
                                                 .returns_deleted_object = true,
                                                 .warnings = &warn_of_storage_class},
                                    .rules = &kStorageClassRules,
                                    .defaults = &kStorageClassDefaults,
                                    .print = &print_storage_class};

}  // namespace tabernetes::registry::kinds

// VolumeAttributesClass of storage.k8s.io. Source: upstream 1.36 pkg/apis/storage/validation.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kVolumeAttributesClassRules, R"(
on update
 driverName immutable=forbid "updates to driverName are forbidden."
 parameters immutable=forbid "updates to parameters are forbidden."
driverName required @lower-qualified
parameters @parameters
?!parameters
 parameters need "must contain at least one key/value pair"
)");

namespace {

using json::Value;

void print_volume_attributes_class(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"driverName"}));
  row.age(object);
}

}  // namespace

extern const Kind kVolumeAttributesClassKind{
    .group = "storage.k8s.io",
    .kind = "VolumeAttributesClass",
    .strategy = {.meta_passes = {"CF", "UFCF", ""}, .returns_deleted_object = true},
    .rules = &kVolumeAttributesClassRules,
    .print = &print_volume_attributes_class};

}  // namespace tabernetes::registry::kinds

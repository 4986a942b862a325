// ResourceSlice of resource.k8s.io.
// Source: upstream 1.36 pkg/apis/resource/validation.
#include "json/access.h"
#include "kinds/defaults_devices.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kResourceSliceRules, R"(
spec
 driver required maxlen:63 is:lower-subdomain
 pool.name required
 pool.resourceSliceCount positive
 pool.generation min:0
 nodeName given is:subdomain
on update
 spec.driver immutable=""
)");

namespace {

using json::Value;

std::string unknown_slice_label(const schema::Resource& resource, std::string_view label) {
  return "field label not supported for resource.k8s.io/" + std::string(resource.version) +
         ", Kind=ResourceSlice: " + std::string(label);
}

void print_resource_slice(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"spec", "nodeName"}));
  row.text(text_at(object, {"spec", "driver"}));
  row.text(text_at(object, {"spec", "pool", "name"}));
  row.age(object);
}

}  // namespace

const Kind kResourceSliceKind{.group = "resource.k8s.io",
                              .kind = "ResourceSlice",
                              .strategy = {.meta_passes = {"CF", "UF", ""},
                                           .unknown_field_label = &unknown_slice_label,
                                           .generation = Generation::kSpec,
                                           .returns_deleted_object = true,
                                           .set_defaults = &set_resource_slice_defaults,
                                           .warnings = &warn_of_resource_slice},
                              .rules = &kResourceSliceRules,
                              .print = &print_resource_slice};

}  // namespace tabernetes::registry::kinds

// ResourceSlice of resource.k8s.io.
// Source: upstream 1.36 pkg/apis/resource/validation.
#include <algorithm>
#include <string>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/time/rfc3339.h"
#include "json/access.h"
#include "json/fill.h"
#include "kinds/row/kind.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"

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

void set_resource_slice_defaults(const HookContext& context, Value& object) {
  for (Value& device : items_in(object_or_new(object, "spec", context.arena), "devices")) {
    for (Value& taint : items_in(device, "taints")) {
      fill(taint, "timeAdded", Value::string(context.arena.copy(format_rfc3339(context.now))),
           context.arena);
    }
  }
}

void warn_of_resource_slice(const Field& object, const Value*, Warnings& out) {
  const std::string_view driver = object["spec"].text_at("driver");
  if (std::none_of(driver.begin(), driver.end(), is_upper)) return;
  out.add({"spec.driver: driver names should be lowercase; ", go_quote(driver),
           " contains uppercase characters"});
}

}  // namespace

extern const Kind kResourceSliceKind{.group = "resource.k8s.io",
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

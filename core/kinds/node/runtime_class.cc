// RuntimeClass of node.k8s.io. Source: upstream 1.36 pkg/apis/node/validation.
#include "json/access.h"
#include "kinds/pod_template/pod_scope.h"
#include "kinds/row/kind.h"
#include "kinds/shared/node_selectors.h"
#include "registry/cells/row.h"
#include "registry/kind/warnings.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kRuntimeClassRules, R"(
on create update
 handler required is:label
 overhead given @runtime-overhead
 scheduling
  nodeSelector @labels
  tolerations[] &toleration
  tolerations @distinct-tolerations
on update
 handler immutable=""
)");

namespace {

using json::Value;

void print_runtime_class(const Value& object, Row& row) {
  row.name(object);
  row.text(text_at(object, {"handler"}));
  row.age(object);
}

void runtime_overhead(const Place& place) {
  validate_resource_limits(place.now, place.now["podFixed"]);
}

void distinct_tolerations(const Place& place) {
  for (const Field item : place.now.items()) {
    bool repeated = false;
    for (std::uint32_t i = 0; i < item.index() && !repeated; ++i) {
      const Value& other = place.now.value()->items()[i];
      repeated = true;
      for (const std::string_view name : {"key", "operator", "value", "effect"}) {
        if (other.string_at(name) != item.text_at(name)) repeated = false;
      }
    }
    if (!repeated) continue;
    item.duplicate_as(print_internal(item, "core.v1.Toleration"));
  }
}

void warn_of_runtime_class(const Field& object, const Value*, Warnings& out) {
  const Field scheduling = object["scheduling"];
  const Field selector = scheduling["nodeSelector"];
  for (const Field label : selector.items()) warn_of_node_label(selector, label.name(), out);
}

}  // namespace

extern const NamedCheck kRuntimeClassChecks[] = {
    {"runtime-overhead", &runtime_overhead},
    {"distinct-tolerations", &distinct_tolerations},
};

extern const Kind kRuntimeClassKind{.group = "node.k8s.io",
                                    .kind = "RuntimeClass",
                                    .strategy = {.meta_passes = {"C", "CU", ""},
                                                 .allow_create_on_update = true,
                                                 .allow_unconditional_update = false,
                                                 .warnings = &warn_of_runtime_class},
                                    .rules = &kRuntimeClassRules,
                                    .print = &print_runtime_class};

}  // namespace tabernetes::registry::kinds

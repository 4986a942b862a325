// RuntimeClass of node.k8s.io. Source: upstream 1.36 pkg/apis/node/validation.
#include "json/access.h"
#include "kinds/kinds.h"
#include "kinds/warn.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kRuntimeClassRules, R"(
on create update
 handler required is:label
 overhead.podFixed>limits @limits
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

}  // namespace

const Kind kRuntimeClassKind{.group = "node.k8s.io",
                             .kind = "RuntimeClass",
                             .strategy = {.meta_passes = {"C", "CU", ""},
                                          .allow_create_on_update = true,
                                          .allow_unconditional_update = false,
                                          .warnings = &warn_of_runtime_class},
                             .rules = &kRuntimeClassRules,
                             .print = &print_runtime_class};

}  // namespace tabernetes::registry::kinds

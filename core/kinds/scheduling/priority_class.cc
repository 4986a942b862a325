// PriorityClass, the example of docs/adding-a-kind.md. Source: upstream 1.36
// pkg/apis/scheduling/validation.
#include "json/access.h"
#include "kinds/kinds.h"
#include "registry/cells/row.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPriorityClassRules, R"(
on create
 @priority
 preemptionPolicy given required enum:PreemptLowerPriority,Never
on update
 value immutable=forbid "may not be changed in an update."
 preemptionPolicy immutable
)");

TAB_DEFAULTS(kPriorityClassDefaults, R"(
preemptionPolicy fill=PreemptLowerPriority
)");

namespace {

using json::Value;

void print_priority_class(const Value& object, Row& row) {
  row.name(object);
  row.number(number_at(object, {"value"}));
  row.boolean(bool_at(object, {"globalDefault"}));
  row.age(object);
  row.text(text_at(object, {"preemptionPolicy"}));
}

std::string_view priority_class_protection(std::string_view name) {
  const bool system = name == "system-cluster-critical" || name == "system-node-critical";
  return system ? "this is a system priority class and cannot be deleted" : "";
}

}  // namespace

const Kind kPriorityClassKind{.group = "scheduling.k8s.io",
                              .kind = "PriorityClass",
                              .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                           .generation = Generation::kFixed,
                                           .protection = &priority_class_protection},
                              .rules = &kPriorityClassRules,
                              .defaults = &kPriorityClassDefaults,
                              .print = &print_priority_class};

}  // namespace tabernetes::registry::kinds

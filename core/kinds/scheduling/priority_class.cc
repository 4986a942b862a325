// PriorityClass, the example of docs/adding-a-kind.md. Source: upstream 1.36
// pkg/apis/scheduling/validation.
#include <string>

#include "json/access.h"
#include "kinds/row/kind.h"
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

void priority(const Place& place) {
  constexpr std::string_view kSystem = "system-";
  const Field metadata = place.now["metadata"];
  const Field name = metadata["name"];
  const std::int64_t value = place.now.number_at("value");
  const std::string text(name.text());
  if (!text.starts_with(kSystem)) {
    if (value > 1000000000) {
      place.now["value"].forbidden(
          "maximum allowed value of a user defined priority is 1000000000");
    }
    return;
  }
  const std::int64_t wanted = text == "system-node-critical"      ? 2000001000
                              : text == "system-cluster-critical" ? 2000000000
                                                                  : 0;
  std::string error;
  if (wanted == 0) {
    error = text + " is not a known system priority class";
  } else if (value != wanted) {
    error = "value of " + text + " PriorityClass must be " + std::to_string(wanted);
  } else if (place.now["globalDefault"].flag()) {
    error = "globalDefault of " + text + " PriorityClass must be false";
  }
  if (error.empty()) return;
  name.forbidden(
      "priority class names with 'system-' prefix are reserved for system use only. error: " +
      error);
}

}  // namespace

extern const NamedCheck kPriorityClassChecks[] = {
    {"priority", &priority},
};

extern const Kind kPriorityClassKind{.group = "scheduling.k8s.io",
                                     .kind = "PriorityClass",
                                     .strategy = {.meta_passes = {"CF", "UF", "UF"},
                                                  .generation = Generation::kFixed,
                                                  .protection = &priority_class_protection},
                                     .rules = &kPriorityClassRules,
                                     .defaults = &kPriorityClassDefaults,
                                     .print = &print_priority_class};

}  // namespace tabernetes::registry::kinds

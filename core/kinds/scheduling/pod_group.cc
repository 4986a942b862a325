// PodGroup of scheduling.k8s.io, which is printed but not served as a resource. Source:
// upstream 1.36 printers/internalversion/printers.go.
#include "json/access.h"
#include "kinds/row/kind.h"
#include "registry/cells/cell_text.h"
#include "registry/cells/row.h"
#include "registry/meta/conditions.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

std::string_view pod_group_status(const Value& group) {
  if (const Value* disrupted = last_condition(group, "DisruptionTarget")) {
    return disrupted->string_at("reason");
  }
  const Value* scheduled = last_condition(group, "PodGroupScheduled");
  if (scheduled == nullptr) return "Pending";
  return scheduled->string_at("status") == "True" ? "Scheduled" : "Unschedulable";
}

void print_pod_group(const Value& object, Row& row) {
  row.name(object);
  row.text(has(object, {"spec", "schedulingPolicy", "gang"}) ? "Gang" : "Basic");
  row.text(has(object, {"spec", "podGroupTemplateRef"})
               ? text_at(object, {"spec", "podGroupTemplateRef", "workload", "workloadName"})
               : kNone);
  row.text(pod_group_status(object));
  row.age(object);
}

}  // namespace

extern const Kind kPodGroupKind{
    .group = "scheduling.k8s.io", .kind = "PodGroup", .print = &print_pod_group};

}  // namespace tabernetes::registry::kinds

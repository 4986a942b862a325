// Checks updates of pods. Source: upstream 1.36 pkg/apis/core/validation/validation.go,
// ValidatePodUpdate.
#include <string>

#include "json/equality.h"
#include "kinds/core/pod_validation.h"
#include "kinds/pod_template/pod_scope.h"
#include "kinds/shared/line_diff.h"
#include "kinds/shared/tolerations.h"

namespace tabernetes::registry::kinds {

TAB_RULES(kPodImageRules, R"(
image @not-padded
)");

namespace {

using json::Arena;
using json::Value;

// Returns false if no further checks are possible.
bool validate_images(const Field& containers, const Field& old) {
  if (containers.size() != old.size()) {
    containers.forbidden("pod updates may not add or remove containers");
    return false;
  }
  for (const Field container : containers.items()) container["image"].require();
  for (const Field container : containers.items()) kPodImageRules.check_alone(container);
  return true;
}

bool validate_deadline(const Field& spec, const Field& old) {
  const Field now = spec["activeDeadlineSeconds"];
  const Field before = old["activeDeadlineSeconds"];
  if (now.present()) {
    if (!now.in_range(0, 2147483647)) return false;
    if (!before.present() || before.number() >= now.number()) return true;
    now.invalid("must be less than or equal to previous value");
    return false;
  }
  if (before.present()) {
    now.invalid_printed("null", "must not update from a positive integer to nil value");
  }
  return true;
}

// Compares everything except tolerationSeconds.
bool same_toleration(const Field& a, const Field& b) {
  for (const std::string_view member : {"key", "operator", "value", "effect"}) {
    if (!a[member].same(b[member])) return false;
  }
  return true;
}

void validate_added_tolerations(const Field& now, const Field& old) {
  for (const Field before : old.items()) {
    bool found = false;
    for (const Field toleration : now.items()) found = found || same_toleration(toleration, before);
    if (found) continue;
    return now.forbidden("existing toleration can not be modified except its tolerationSeconds");
  }
  kTolerationsRules.check_alone(now);
}

void validate_gates_only_go(const Field& now, const Field& old) {
  NameTable before;
  for (const Field gate : old.items()) before.add(gate.text_at("name"));
  for (const Field gate : now.items()) {
    if (before.has(gate.text_at("name"))) continue;
    gate["name"].forbidden("only deletion is allowed, but found new scheduling gate '" +
                           std::string(gate.text_at("name")) + "'");
  }
}

// Returns true if `now` starts with the items of `old`.
bool begins_with(const Field& now, const Field& old) {
  if (now.size() < old.size()) return false;
  for (const Field item : old.items()) {
    if (!now.item(item.index()).same(item)) return false;
  }
  return true;
}

bool only_adds(const Field& now, const Field& old) {
  const Field expressions = old["matchExpressions"];
  const Field fields = old["matchFields"];
  const Field new_expressions = now["matchExpressions"];
  const Field new_fields = now["matchFields"];
  if (expressions.empty() && fields.empty() && !(new_expressions.empty() && new_fields.empty())) {
    return false;
  }
  return begins_with(new_expressions, expressions) && begins_with(new_fields, fields);
}

void validate_node_affinity_change(const Field& now, const Field& old) {
  constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
  const Field required = now[kRequired];
  const Field before = old[kRequired];
  const Field terms = required["nodeSelectorTerms"];
  const Field old_terms = before["nodeSelectorTerms"];
  if (old_terms.empty()) return;
  if (old_terms.size() != terms.size()) {
    std::string list;
    for (const Field term : terms.items()) {
      list.append(list.empty() ? "[" : ",")
          .append(print_internal(term, "core.v1.NodeSelectorTerm"));
    }
    return terms.invalid_printed(
        list.empty() ? "null" : list + "]",
        "no additions/deletions to non-empty NodeSelectorTerms list are allowed");
  }
  for (const Field term : terms.items()) {
    if (only_adds(term, old_terms.item(term.index()))) continue;
    term.invalid_printed(print_internal(term, "core.v1.NodeSelectorTerm"),
                         "only additions are allowed (no mutations or deletions)");
  }
}

// Permits changes of scheduling fields of a gated pod: reverts them in `spec`, which is compared
// with the old one afterwards.
void revert_scheduling_changes(const Field& now, const Field& old, Value& spec, Arena& arena) {
  const Field nodes = now["nodeSelector"];
  const Field old_nodes = old["nodeSelector"];
  if (!nodes.same(old_nodes)) {
    for (const Field label : old_nodes.items()) {
      if (nodes[label.name()].same(label)) continue;
      nodes.invalid_printed(nodes.present() ? nodes.printed() : "null",
                            "only additions to spec.nodeSelector are allowed (no mutations or "
                            "deletions)");
      break;
    }
    take_member(spec, old, "nodeSelector", arena);
  }
  const Field affinity = now["affinity"];
  const Field before = old["affinity"];
  const Field placement = affinity["nodeAffinity"];
  const Field old_placement = before["nodeAffinity"];
  if (placement.same(old_placement)) return;
  validate_node_affinity_change(placement, old_placement);
  if (affinity.present() && !before.present() && !affinity.has("podAffinity") &&
      !affinity.has("podAntiAffinity")) {
    spec.erase("affinity");
    return;
  }
  Value kept = affinity.present() ? affinity.value()->shallow_copy(arena) : Value::object(arena);
  take_member(kept, before, "nodeAffinity", arena);
  spec.set(arena, "affinity", kept);
}

// Returns the new spec with the mutable fields of the old one.
Value with_mutable_fields_of(const Field& now, const Field& old, Arena& arena) {
  Value spec = now.value()->clone(arena);
  for (const std::string_view list : {"containers", "initContainers"}) {
    const Field before = old[list];
    for (const Field container : before.items()) {
      take_member(spec.find(list)->items()[container.index()], container, "image", arena);
    }
  }
  for (const std::string_view name : {"activeDeadlineSeconds", "schedulingGates", "tolerations"}) {
    take_member(spec, old, name, arena);
  }
  constexpr std::string_view kGrace = "terminationGracePeriodSeconds";
  if (old.number_at(kGrace) < 0 && now.number_at(kGrace) == 1)
    take_member(spec, old, kGrace, arena);
  return spec;
}

}  // namespace

void validate_pod_update(const Field& pod, const Field& old) {
  validate_pod_common(pod);
  validate_pod_annotation_update(pod, old);
  const Field spec = pod["spec"];
  const Field before = old["spec"];
  if (!validate_images(spec["containers"], before["containers"]) ||
      !validate_images(spec["initContainers"], before["initContainers"]) ||
      !validate_deadline(spec, before)) {
    return;
  }
  validate_added_tolerations(spec["tolerations"], before["tolerations"]);
  validate_gates_only_go(spec["schedulingGates"], before["schedulingGates"]);
  if (spec.same(before)) return;
  Arena arena;
  Value changed = with_mutable_fields_of(spec, before, arena);
  if (!before["schedulingGates"].empty()) revert_scheduling_changes(spec, before, changed, arena);
  if (json::deep_equal(changed, *before.value())) return;
  spec.forbidden(
      "pod updates may not change fields other than "
      "`spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
      "`spec.tolerations` (only additions to existing tolerations),"
      "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously "
      "negative)\n" +
      line_diff(print_internal_indented(*before.value(), "core.v1.PodSpec"),
                print_internal_indented(changed, "core.v1.PodSpec")));
}

}  // namespace tabernetes::registry::kinds

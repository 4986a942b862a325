#include "kinds/core/pod_subresources.h"

#include <string>

#include "base/go/text.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "kinds/core/pod_create.h"
#include "kinds/core/pod_validation.h"
#include "kinds/pod_template/pod_scope.h"
#include "kinds/shared/line_diff.h"
#include "registry/meta/object_meta.h"
#include "rules/internal_form.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Arena;
using json::Value;

// Returns the stored pod with the client's resourceVersion.
Value stored_pod(const Value& old, const Value& wanted, Arena& arena) {
  Value pod = old.clone(arena);
  ObjectMeta(pod, arena).take("resourceVersion", metadata_of(wanted));
  return pod;
}

// Returns false if the containers differ, which validation reports.
bool resize_containers(const Value& spec, const Value& wanted, std::string_view list,
                       Arena& arena) {
  const json::Range<Value> containers = items_in(spec, list);
  const json::Range<Value> resized = items_in(wanted, list);
  if (containers.size() != resized.size()) return false;
  for (std::uint32_t i = 0; i < containers.size(); ++i) {
    if (containers[i].string_at("name") != resized[i].string_at("name")) return false;
    take_member(containers[i], resized[i], "resources", arena);
    take_member(containers[i], resized[i], "resizePolicy", arena);
  }
  return true;
}

// Keeps old values of observedGeneration that a status omits.
void keep_observed_generations(Value& status, const Value* old, Arena& arena) {
  constexpr std::string_view kObserved = "observedGeneration";
  if (old == nullptr) return;
  if (status.find(kObserved) == nullptr) take_member(status, *old, kObserved, arena);
  for (Value& condition : items_in(status, "conditions")) {
    if (condition.find(kObserved) != nullptr) continue;
    for (const Value& before : items_in(*old, "conditions")) {
      if (before.string_at("type") != condition.string_at("type")) continue;
      take_member(condition, before, kObserved, arena);
      break;
    }
  }
}

void prepare_status(Value& object, const Value& old, Arena& arena) {
  Value& status = object_or_new(object, "status", arena);
  const Value* before = old.find("status");
  if (before != nullptr && status.string_at("qosClass").empty()) {
    take_member(status, *before, "qosClass", arena);
  }
  keep_observed_generations(status, before, arena);
}

void validate_ephemeral_containers(const Field& spec, const Field& old) {
  constexpr std::string_view kList = "ephemeralContainers";
  const Field containers = spec[kList];
  for (const Value& before : items_in(*old.value(), kList)) {
    const std::string_view name = before.string_at("name");
    const Value* now = nullptr;
    for (const Value& container : items_in(*spec.value(), kList)) {
      if (container.string_at("name") == name) now = &container;
    }
    if (now != nullptr && json::deep_equal(*now, before)) continue;
    std::string how = now == nullptr ? "removed\n" : "changed\n";
    if (now != nullptr) {
      constexpr std::string_view kType = "core.v1.EphemeralContainer";
      how +=
          line_diff(print_internal_indented(before, kType), print_internal_indented(*now, kType));
    }
    containers.forbidden("existing ephemeral containers " + go_quote(name) + " may not be " + how);
  }
}

// Returns true if `some` has an entry that differs in `others`, apart from those a resize may
// change.
bool has_other(const Value* some, const Value* others) {
  if (some == nullptr) return false;
  for (const json::Member& member : some->members()) {
    if (member.key == "cpu" || member.key == "memory") continue;
    const Value* other = others == nullptr ? nullptr : others->find(member.key);
    if (other == nullptr || !json::deep_equal(*other, member.value)) return true;
  }
  return false;
}

bool lacks_one_of(const Value* quantities, const Value* old) {
  if (old == nullptr) return false;
  for (const json::Member& member : old->members()) {
    if (quantities == nullptr || quantities->find(member.key) == nullptr) return true;
  }
  return false;
}

void validate_resized(const Field& container, const Value& old) {
  const Field resources = container["resources"];
  for (const std::string_view list : {"requests", "limits"}) {
    if (lacks_one_of(resources.find(list), old.at({"resources", list}))) {
      resources[list].forbidden("resource " + std::string(list) + " cannot be removed");
    }
  }
}

// Returns true if only cpu and memory have changed. Containers that claim devices cannot be
// resized: upstream compares without their claims.
bool changes_only_resources(const Value& container, const Value& old) {
  if (old.at({"resources", "claims"}) != nullptr) return false;
  const Value* policy = container.find("resizePolicy");
  const Value* before = old.find("resizePolicy");
  if ((policy == nullptr) != (before == nullptr)) return false;
  if (policy != nullptr && !json::deep_equal(*policy, *before)) return false;
  for (const std::string_view list : {"requests", "limits"}) {
    const Value* now = container.at({"resources", list});
    const Value* then = old.at({"resources", list});
    if (has_other(now, then) || has_other(then, now)) return false;
  }
  return true;
}

bool validate_order(const Field& containers, const Field& old) {
  const std::string list(containers.name());
  if (containers.size() != old.size()) {
    containers.forbidden(list + " may not be added or removed on resize");
    return false;
  }
  bool sound = true;
  for (const Field container : containers.items()) {
    if (container.text_at("name") == old.item(container.index()).text_at("name")) continue;
    sound = false;
    container["name"].forbidden(list + " may not be renamed or reordered on resize");
  }
  return sound;
}

// Returns false if the node does not report resources of running containers: it cannot resize them.
bool can_resize(const Value& old) {
  const Value* status = old.find("status");
  if (status == nullptr) return true;
  for (const Value& container : items_in(*status, "containerStatuses")) {
    if (container.at({"state", "running"}) != nullptr)
      return container.find("resources") != nullptr;
  }
  return true;
}

void validate_resize(const Field& pod, const Field& old) {
  const Field spec = pod["spec"];
  const Field before = old["spec"];
  const std::string_view quality = pod.find("status")->string_at("qosClass");
  if (quality_of_service(*pod.value()) != old.find("status")->string_at("qosClass")) {
    spec.invalid_string(quality, "Pod QOS Class may not change as a result of resizing");
  }
  if (!can_resize(*old.value())) spec.forbidden("Pod running on node without support for resize");
  const Field lists[] = {spec["initContainers"], spec["containers"]};
  const Field olds[] = {before["initContainers"], before["containers"]};
  const bool ordered = validate_order(lists[1], olds[1]);
  if (!validate_order(lists[0], olds[0]) || !ordered) return;
  for (int i = 0; i < 2; ++i) {
    for (const Field container : lists[i].items()) {
      validate_resized(container, *olds[i].item(container.index()).value());
    }
  }
  for (const Field container : lists[1].items()) {
    if (!changes_only_resources(*container.value(), *olds[1].item(container.index()).value())) {
      spec.forbidden("only cpu and memory resources are mutable");
    }
  }
  for (const Field container : lists[0].items()) {
    if (!changes_only_resources(*container.value(), *olds[0].item(container.index()).value())) {
      container.forbidden(
          "only cpu and memory resources for init or sidecar containers are mutable");
    }
  }
}

}  // namespace

void validate_pod_subresource(Subresource subresource, const Field& pod, const Field& old) {
  const bool resize = subresource == Subresource::kResize;
  validate_pod_common(pod);
  if (!resize) validate_pod_annotation_update(pod, old);
  const Value* annotations = metadata_of(*old.value())->find("annotations");
  const bool mirror =
      annotations != nullptr && annotations->find("kubernetes.io/config.mirror") != nullptr;
  const Value* system = old.value()->at({"spec", "os"});
  const bool windows = resize && system != nullptr && system->string_at("name") == "windows";
  if (mirror || windows) {
    pod.errors() = {field::forbidden(field::Path("[]"),
                                     !mirror  ? "windows pods cannot be resized"
                                     : resize ? "static pods cannot be resized"
                                              : "static pods do not support ephemeral containers")};
  } else if (resize) {
    validate_resize(pod, old);
  } else {
    const Field spec = pod["spec"];
    const Field before = old["spec"];
    validate_ephemeral_containers(spec, before);
  }
}

void prepare_pod_subresource(const HookContext& context, Subresource subresource, Value& object,
                             const Value& old) {
  Arena& arena = context.arena;
  if (subresource == Subresource::kStatus) return prepare_status(object, old, arena);
  Value pod = stored_pod(old, object, arena);
  Value& spec = object_or_new(pod, "spec", arena);
  const Value& wanted = object_or_new(object, "spec", arena);
  if (subresource == Subresource::kEphemeralContainers) {
    take_member(spec, wanted, "ephemeralContainers", arena);
  } else {
    if (!resize_containers(spec, wanted, "containers", arena) ||
        !resize_containers(spec, wanted, "initContainers", arena)) {
      return;
    }
    take_member(spec, wanted, "resources", arena);
  }
  object = pod;
}

}  // namespace tabernetes::registry::kinds

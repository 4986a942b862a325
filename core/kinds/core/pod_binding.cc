#include "kinds/core/pod_binding.h"

#include <string>
#include <utility>

#include "base/api/field_error.h"
#include "base/go/text.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"
#include "registry/meta/object_meta.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

Result<void> check_target(const Value& binding) {
  const Value* target = binding.find("target");
  const std::string_view kind = target == nullptr ? "" : target->string_at("kind");
  field::ErrorList errors;
  if (!kind.empty() && kind != "Node") {
    errors.push_back(
        field::not_supported(field::Path("target.kind"), go_quote(kind), {"Node", "<empty>"}));
  }
  if (target == nullptr || target->string_at("name").empty()) {
    errors.push_back(field::required(field::Path("target.name")));
  }
  if (errors.empty()) return {};
  return errors::plain_error(field::aggregate(errors));
}

// Checks the uid and the resourceVersion in a binding, with the storage's errors.
Result<void> check_preconditions(const ObjectRef& ref, const Value& binding, const Value& pod) {
  static constexpr std::pair<std::string_view, std::string_view> kFields[] = {
      {"uid", "UID"}, {"resourceVersion", "ResourceVersion"}};
  for (const auto& [field, shown] : kFields) {
    const std::string wanted(metadata_of(binding)->string_at(field));
    const std::string_view actual = metadata_of(pod)->string_at(field);
    if (wanted.empty() || wanted == actual) continue;
    return errors::conflict(
        ref.type->group_resource(), ref.name,
        "StorageError: invalid object, Code: 4, Key: " + ref.type->etcd_key(ref.ns, ref.name) +
            ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: " + std::string(shown) +
            " in precondition: " + wanted + ", " + std::string(shown) +
            " in object meta: " + std::string(actual));
  }
  return {};
}

// Returns the reason why the pod cannot be bound, or an empty text.
std::string refusal(const Value& pod) {
  const std::string name(metadata_of(pod)->string_at("name"));
  if (metadata_of(pod)->find("deletionTimestamp") != nullptr) {
    return "pod " + name + " is being deleted, cannot be assigned to a host";
  }
  const Value* spec = pod.find("spec");
  if (const std::string_view node = spec->string_at("nodeName"); !node.empty()) {
    return "pod " + name + " is already assigned to node " + go_quote(node);
  }
  if (items_in(*spec, "schedulingGates").size() > 0) {
    return "pod " + name + " has non-empty .spec.schedulingGates";
  }
  return {};
}

// Adds the binding's labels or annotations to the pod's.
void take_texts(Value& pod, const Value& binding, std::string_view field, json::Arena& arena) {
  const Value* given = metadata_of(binding)->find(field);
  if (given == nullptr || !given->is_object()) return;
  Value& texts = object_or_new(*pod.find("metadata"), field, arena);
  for (const json::Member& member : given->members()) texts.set(arena, member.key, member.value);
}

}  // namespace

Result<void> check_binding(const ObjectRef& ref, const Value& binding) {
  if (metadata_of(binding)->string_at("name") != ref.name) {
    return errors::bad_request("name in URL does not match name in Binding object");
  }
  return check_target(binding);
}

Result<void> bind_pod(Registry& registry, const WriteContext& context, const ObjectRef& ref,
                      const Value& binding) {
  const auto bound = [&](const Value* stored) -> Result<Value> {
    TAB_CHECK(check_preconditions(ref, binding, *stored));
    if (const std::string why = refusal(*stored); !why.empty()) {
      return errors::conflict({"", "pods/binding"}, ref.name, why);
    }
    json::Arena& arena = context.arena;
    Value pod = stored->clone(arena);
    object_or_new(pod, "spec", arena)
        .set(arena, "nodeName", Value::string(binding.find("target")->string_at("name")));
    take_texts(pod, binding, "annotations", arena);
    take_texts(pod, binding, "labels", arena);
    Value& status = object_or_new(pod, "status", arena);
    if (registry.hook_context(context).gates.enabled("ClearingNominatedNodeNameAfterBinding")) {
      status.erase("nominatedNodeName");
    }
    set_condition(status, {.type = "PodScheduled", .status = "True"}, context.now, arena);
    return pod;
  };
  TAB_TRY(const store::RecordPtr written, registry.rewrite(context, ref, bound));
  return {};
}

}  // namespace tabernetes::registry::kinds

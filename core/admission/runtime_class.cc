// RuntimeClass: adds fields of the class to the pod and checks the pod's own. Source:
// upstream 1.36 plugin/pkg/admission/runtimeclass.

#include <string>

#include "admission/plugins.h"
#include "admission/request.h"
#include "base/api/quantity.h"
#include "base/go/text.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Arena;
using json::Value;

// Returns the pod's runtime class, or null if it names none.
Result<Value> class_of(const AdmissionRequest& request) {
  const Value* name = request.object.at({"spec", "runtimeClassName"});
  if (name == nullptr || !name->is_string()) return Value();
  const Value found = request.registry.find_object({"node.k8s.io", "v1", "runtimeclasses"}, {},
                                                   name->as_string(), request.context.arena);
  if (found.is_object()) return found;
  return refusal(request,
                 "pod rejected: RuntimeClass " + go_quote(name->as_string()) + " not found");
}

bool same_amount(const Value& a, const Value& b) {
  std::string_view error;
  if (!a.is_string() || !b.is_string()) return false;
  const auto left = Quantity::parse(a.as_string(), error);
  const auto right = Quantity::parse(b.as_string(), error);
  return left && right && left->compare(*right) == 0;
}

bool same_amounts(const Value* a, const Value* b) {
  const std::uint32_t size = a == nullptr ? 0 : a->size();
  if (size != (b == nullptr ? 0 : b->size())) return false;
  if (size == 0) return true;
  for (const json::Member& member : a->members()) {
    const Value* other = b->find(member.key);
    if (other == nullptr || !same_amount(member.value, *other)) return false;
  }
  return true;
}

constexpr const char* kOtherOverhead =
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

// Returns true if `wide` tolerates everything that `narrow` does.
bool covers(const Value& wide, const Value& narrow) {
  if (json::deep_equal(wide, narrow)) return true;
  const std::string_view how = wide.string_at("operator");
  const std::string_view key = wide.string_at("key");
  const std::string_view effect = wide.string_at("effect");
  if (narrow.string_at("key") != key && !(key.empty() && how == "Exists")) return false;
  if (!effect.empty() && narrow.string_at("effect") != effect) return false;
  const Value* most = wide.find("tolerationSeconds");
  if (effect == "NoExecute" && most != nullptr) {
    const Value* seconds = narrow.find("tolerationSeconds");
    if (seconds == nullptr || seconds->as_int() > most->as_int()) return false;
  }
  if (how == "Exists") return true;
  return (how.empty() || how == "Equal") && narrow.string_at("operator") == "Equal" &&
         narrow.string_at("value") == wide.string_at("value");
}

// Returns both lists without tolerations covered by others; of equal ones, keeps the first.
Value merge_tolerations(json::Range<Value> first, json::Range<Value> second, Arena& arena) {
  Value all = Value::array(arena);
  for (const Value& toleration : first) all.push_back(arena, toleration);
  for (const Value& toleration : second) all.push_back(arena, toleration);
  Value merged = Value::array(arena);
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const Value& toleration = all.items()[i];
    bool needed = true;
    for (const Value& earlier : merged.items()) needed = needed && !covers(earlier, toleration);
    for (std::uint32_t j = i + 1; needed && j < all.size(); ++j) {
      const Value& later = all.items()[j];
      needed = json::deep_equal(toleration, later) || !covers(later, toleration);
    }
    if (needed) merged.push_back(arena, toleration);
  }
  return merged;
}

}  // namespace

Result<void> apply_runtime_class(const AdmissionRequest& request, PluginState&) {
  Arena& arena = request.context.arena;
  TAB_TRY(const Value runtime_class, class_of(request));
  if (!runtime_class.is_object()) return {};
  Value& spec = object_or_new(request.object, "spec", arena);
  if (const Value* overhead = object_in(runtime_class, "overhead")) {
    const Value* fixed = overhead->find("podFixed");
    const Value* own = spec.find("overhead");
    if (own != nullptr && own->size() > 0 && !same_amounts(own, fixed)) {
      return refusal(request, kOtherOverhead);
    }
    if (fixed != nullptr) spec.set(arena, "overhead", fixed->clone(arena));
  }
  const Value* scheduling = object_in(runtime_class, "scheduling");
  if (scheduling == nullptr) return {};
  if (const Value* wanted = object_in(*scheduling, "nodeSelector")) {
    Value& selector = object_or_new(spec, "nodeSelector", arena);
    for (const json::Member& label : wanted->members()) {
      const std::string_view value = label.value.as_string();
      if (selector.find(label.key) != nullptr && selector.string_at(label.key) != value) {
        const std::string key = "[" + std::string(label.key) + "] = ";
        return refusal(request, "conflict: runtimeClass.scheduling.nodeSelector" + key +
                                    std::string(value) + "; pod.spec.nodeSelector" + key +
                                    std::string(selector.string_at(label.key)));
      }
      selector.set(arena, label.key, label.value);
    }
  }
  const Value tolerations =
      merge_tolerations(items_in(spec, "tolerations"), items_in(*scheduling, "tolerations"), arena);
  if (tolerations.size() > 0) spec.set(arena, "tolerations", tolerations);
  return {};
}

Result<void> check_overhead(const AdmissionRequest& request, PluginState&) {
  TAB_TRY(const Value runtime_class, class_of(request));
  const Value* own = request.object.at({"spec", "overhead"});
  const Value* overhead =
      runtime_class.is_object() ? object_in(runtime_class, "overhead") : nullptr;
  if (overhead != nullptr) {
    return same_amounts(own, overhead->find("podFixed")) ? Result<void>()
                                                         : refusal(request, kOtherOverhead);
  }
  if (own == nullptr) return {};
  return refusal(request,
                 "pod rejected: Pod Overhead set without corresponding RuntimeClass defined "
                 "Overhead");
}

}  // namespace tabernetes::admission

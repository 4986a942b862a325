// PodTolerationRestriction: pods get the default tolerations of their namespace, and may have those
// of its whitelist only. Source: upstream 1.36 plugin/pkg/admission/podtolerationrestriction,
// pkg/util/tolerations.

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "admission/plugin_state.h"
#include "admission/plugins.h"
#include "admission/request.h"
#include "codec/json_reader.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "json/type_name.h"
#include "kinds/core/pod_create.h"
#include "registry/life/registry.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using Tolerations = std::vector<Value>;

constexpr std::string_view kDefaults = "scheduler.alpha.kubernetes.io/defaultTolerations";
constexpr std::string_view kWhitelist = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

Tolerations items_of(const Value& list) {
  Tolerations items;
  if (!list.is_array()) return items;
  for (const Value& item : list.items()) items.push_back(item);
  return items;
}

// Returns whether `wide` tolerates all that `narrow` does.
bool is_superset(const Value& wide, const Value& narrow) {
  if (json::deep_equal(wide, narrow)) return true;
  const std::string_view wide_operator = wide.string_at("operator");
  if (narrow.string_at("key") != wide.string_at("key") &&
      (!wide.string_at("key").empty() || wide_operator != "Exists")) {
    return false;
  }
  const std::string_view effect = wide.string_at("effect");
  if (narrow.string_at("effect") != effect && !effect.empty()) return false;
  if (effect == "NoExecute" && has(wide, {"tolerationSeconds"})) {
    if (!has(narrow, {"tolerationSeconds"}) ||
        number_at(narrow, {"tolerationSeconds"}) > number_at(wide, {"tolerationSeconds"})) {
      return false;
    }
  }
  if (wide_operator == "Exists") return true;
  return (wide_operator.empty() || wide_operator == "Equal") &&
         narrow.string_at("operator") == "Equal" &&
         narrow.string_at("value") == wide.string_at("value");
}

// Joins two lists; of one toleration that covers another, only the wider one is kept.
Tolerations merged(Tolerations all, const Tolerations& others) {
  all.insert(all.end(), others.begin(), others.end());
  Tolerations kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Value& one = all[i];
    const auto covers = [&](const Value& other) { return is_superset(other, one); };
    const bool before = std::any_of(kept.begin(), kept.end(), covers);
    const bool behind = std::any_of(
        all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
        [&](const Value& other) { return !json::deep_equal(one, other) && covers(other); });
    if (!before && !behind) kept.push_back(one);
  }
  return kept;
}

// Returns the tolerations in an annotation of the request's namespace; nullopt if there is none.
Result<std::optional<Tolerations>> annotated(const AdmissionRequest& request,
                                             std::string_view annotation) {
  json::Arena& arena = request.context.arena;
  const Value ns = request.registry.find_object({"", "v1", "namespaces"}, {}, request.ns, arena);
  if (!ns.is_object()) return errors::not_found({"", "namespaces"}, request.ns);
  const Value* given = ns.at({"metadata", "annotations", annotation});
  if (given == nullptr) return std::optional<Tolerations>();
  if (text_of(*given).empty()) return std::optional<Tolerations>(std::in_place);
  const codec::JsonRead read = codec::read_json(arena.copy(text_of(*given)), arena);
  if (!read.ok()) return errors::plain_error(read.error);
  if (!read.value.is_array() && !read.value.is_null()) {
    return errors::plain_error("json: cannot unmarshal " +
                               std::string(json::go_type_name(read.value)) +
                               " into Go value of type []v1.Toleration");
  }
  return std::optional<Tolerations>(items_of(read.value));
}

Value memory_pressure(json::Arena& arena) {
  Value toleration = Value::object(arena);
  toleration.append(arena, "key", Value::string("node.kubernetes.io/memory-pressure"));
  toleration.append(arena, "operator", Value::string("Exists"));
  toleration.append(arena, "effect", Value::string("NoSchedule"));
  return toleration;
}

}  // namespace

Result<void> add_tolerations(const AdmissionRequest& request, PluginState& state) {
  json::Arena& arena = request.context.arena;
  Tolerations extra;
  if (request.operation == registry::Operation::kCreate) {
    TAB_TRY(std::optional<Tolerations> own, annotated(request, kDefaults));
    extra = own ? std::move(*own) : items_of(state.settings().default_tolerations);
  }
  if (registry::kinds::quality_of_service(request.object) != "BestEffort") {
    extra.push_back(memory_pressure(arena));
  }
  if (!extra.empty()) {
    Value& spec = json::object_or_new(request.object, "spec", arena);
    const Value* given = spec.find("tolerations");
    Value list = Value::array(arena);
    for (const Value& one : merged(given == nullptr ? Tolerations() : items_of(*given), extra)) {
      list.push_back(arena, one.clone(arena));
    }
    spec.set(arena, "tolerations", list);
  }
  return check_tolerations(request, state);
}

Result<void> check_tolerations(const AdmissionRequest& request, PluginState& state) {
  const json::Range<Value> given = items_at(request.object, {"spec", "tolerations"});
  if (given.size() == 0) return {};
  TAB_TRY(const std::optional<Tolerations> own, annotated(request, kWhitelist));
  const Tolerations whitelist = own ? *own : items_of(state.settings().tolerations_whitelist);
  if (whitelist.empty()) return {};
  for (const Value& toleration : given) {
    const bool known = std::any_of(whitelist.begin(), whitelist.end(), [&](const Value& allowed) {
      return is_superset(allowed, toleration);
    });
    if (known) continue;
    return errors::plain_error(
        "pod tolerations (possibly merged with namespace default tolerations) conflict with its " +
        std::string(own ? "namespace" : "cluster") + " whitelist");
  }
  return {};
}

}  // namespace tabernetes::admission

#include "controllers/nodes/node_taints.h"

#include <algorithm>

#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

bool is_taint(const Value& value, const Taint& taint) {
  return value.string_at("key") == taint.key && value.string_at("effect") == taint.effect;
}

bool tolerates(const Value& toleration, const Value& taint) {
  const std::string_view effect = toleration.string_at("effect");
  if (!effect.empty() && effect != taint.string_at("effect")) return false;
  const std::string_view key = toleration.string_at("key");
  if (!key.empty() && key != taint.string_at("key")) return false;
  const std::string_view op = toleration.string_at("operator");
  if (op == "Exists") return true;
  return (op.empty() || op == "Equal") && toleration.string_at("value") == taint.string_at("value");
}

}  // namespace

bool has_taint(const Value& node, const Taint& taint) {
  const json::Range<Value> taints = items_at(node, {"spec", "taints"});
  return std::any_of(taints.begin(), taints.end(),
                     [&](const Value& value) { return is_taint(value, taint); });
}

bool swap_taints(const ReconcileContext& cluster, std::string_view node,
                 const std::vector<Taint>& added, const std::vector<Taint>& removed) {
  json::Arena& arena = cluster.arena;
  const registry::ObjectRef ref{&type_of(cluster.registry, kNodes), {}, node};
  const auto rewritten = [&](const auto& change) {
    return static_cast<bool>(update(cluster, ref, [&](Value& object) {
      Value taints = Value::array(arena);
      change(items_at(object, {"spec", "taints"}), taints);
      Value& spec = object_or_new(object, "spec", arena);
      spec.erase("taints");
      if (taints.size() > 0) spec.set(arena, "taints", taints);
    }));
  };
  const bool done =
      added.empty() || rewritten([&](json::Range<Value> present, Value& taints) {
        for (const Value& taint : present) taints.push_back(arena, taint);
        for (const Taint& taint : added) {
          if (std::any_of(present.begin(), present.end(),
                          [&](const Value& value) { return is_taint(value, taint); })) {
            continue;
          }
          taints.push_back(arena, object_of({{"key", Value::string(taint.key)},
                                             {"effect", Value::string(taint.effect)},
                                             {"timeAdded", time_value(cluster.now, arena)}},
                                            arena));
        }
      });
  if (!done || removed.empty()) return done;
  return rewritten([&](json::Range<Value> present, Value& taints) {
    for (const Value& taint : present) {
      if (std::none_of(removed.begin(), removed.end(),
                       [&](const Taint& gone) { return is_taint(taint, gone); })) {
        taints.push_back(arena, taint);
      }
    }
  });
}

std::vector<Value> no_execute_taints(const Value& node) {
  std::vector<Value> found;
  for (const Value& taint : items_at(node, {"spec", "taints"})) {
    if (taint.string_at("effect") == kNoExecute) found.push_back(taint);
  }
  return found;
}

Toleration toleration_of(const Value& pod, const std::vector<Value>& taints) {
  Toleration result{true, std::nullopt};
  for (const Value& taint : taints) {
    const json::Range<Value> tolerations = items_at(pod, {"spec", "tolerations"});
    // The first that matches counts.
    const auto match =
        std::find_if(tolerations.begin(), tolerations.end(),
                     [&](const Value& toleration) { return tolerates(toleration, taint); });
    if (match == tolerations.end()) return {};
    const Value* seconds = match->find("tolerationSeconds");
    if (seconds == nullptr || !seconds->is_int()) continue;
    // Longer than a century is for ever.
    const Duration time = Duration::from_seconds(
        std::clamp<std::int64_t>(seconds->as_int(), 0, std::int64_t{100} * 365 * 86400));
    if (!result.for_time || time < *result.for_time) result.for_time = time;
  }
  return result;
}

}  // namespace tabernetes::controllers

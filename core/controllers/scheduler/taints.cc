#include "controllers/scheduler/taints.h"

#include <algorithm>

#include "json/access.h"

namespace tabernetes::controllers::scheduling {

using json::Value;

bool Toleration::tolerates(const Taint& taint) const {
  if (!effect.empty() && effect != taint.effect) return false;
  if (!key.empty() && key != taint.key) return false;
  if (op.empty() || op == "Equal") return value == taint.value;
  return op == "Exists";
}

std::vector<Taint> read_taints(const Value& holder) {
  std::vector<Taint> taints;
  for (const Value& taint : json::items_in(holder, "taints")) {
    taints.push_back({std::string(taint.string_at("key")), std::string(taint.string_at("value")),
                      std::string(taint.string_at("effect"))});
  }
  return taints;
}

std::vector<Toleration> read_tolerations(const Value& holder) {
  std::vector<Toleration> tolerations;
  for (const Value& toleration : json::items_in(holder, "tolerations")) {
    tolerations.push_back(
        {std::string(toleration.string_at("key")), std::string(toleration.string_at("operator")),
         std::string(toleration.string_at("value")), std::string(toleration.string_at("effect"))});
  }
  return tolerations;
}

bool tolerate(const std::vector<Toleration>& tolerations, const Taint& taint) {
  return std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const Toleration& one) { return one.tolerates(taint); });
}

bool tolerate_hard_taints(const std::vector<Toleration>& tolerations,
                          const std::vector<Taint>& taints) {
  return std::all_of(taints.begin(), taints.end(), [&](const Taint& taint) {
    return !taint.is_hard() || tolerate(tolerations, taint);
  });
}

Taint unschedulable_taint() { return {"node.kubernetes.io/unschedulable", "", "NoSchedule"}; }

}  // namespace tabernetes::controllers::scheduling

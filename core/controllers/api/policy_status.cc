#include "controllers/api/policy_status.h"

#include "controllers/api/policy_type_check.h"
#include "controllers/shared/applied.h"
#include "controllers/shared/objects.h"
#include "json/access.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr Resource kValidatingPolicies{"admissionregistration.k8s.io", "v1",
                                       "validatingadmissionpolicies"};

}  // namespace

void PolicyStatus::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.now != nullptr && is(change.type, kValidatingPolicies)) {
    queue_.add(change.name, change.due());
  }
}

void PolicyStatus::reconcile(const ReconcileContext& cluster, const std::string& name) {
  json::Arena& arena = cluster.arena;
  const Value policy = get(cluster, kValidatingPolicies, {}, name);
  if (policy.is_null()) return;
  const std::int64_t generation = number_at(policy, {"metadata", "generation"});
  if (generation <= number_at(policy, {"status", "observedGeneration"})) return;
  Value warnings = Value::array(arena);
  for (const ExpressionWarning& found : check_policy_types(cluster.registry.resources(), policy)) {
    warnings.push_back(arena, object_of({{"fieldRef", text_value(found.field, arena)},
                                         {"warning", text_value(found.warning, arena)}},
                                        arena));
  }
  Value checking = Value::object(arena);
  if (warnings.size() > 0) checking.append(arena, "expressionWarnings", warnings);
  Value status = Value::object(arena);
  status.append(arena, "observedGeneration", Value::integer(generation));
  status.append(arena, "typeChecking", checking);
  apply(cluster, ref_of(cluster, kValidatingPolicies, policy), registry::Subresource::kStatus,
        "validatingadmissionpolicy-status", {"status", status});
}

}  // namespace tabernetes::controllers

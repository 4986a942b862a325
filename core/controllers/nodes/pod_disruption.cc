#include "controllers/nodes/pod_disruption.h"

#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {

using json::Value;

Result<void> mark_disrupted(const ReconcileContext& cluster, const registry::ObjectRef& pod,
                            std::string_view reason, std::string_view message,
                            std::string_view phase) {
  auto updated = update_status(cluster, pod, [&](Value& object) {
    Value& status = object_or_new(object, "status", cluster.arena);
    const std::int64_t generation = number_at(object, {"metadata", "generation"});
    if (!phase.empty()) {
      status.set(cluster.arena, "phase", Value::string(phase));
      status.set(cluster.arena, "observedGeneration", Value::integer(generation));
    }
    registry::set_condition(status,
                            {.type = "DisruptionTarget",
                             .status = "True",
                             .reason = reason,
                             .message = message,
                             .observed_generation = generation},
                            cluster.now, cluster.arena);
  });
  if (!updated) return std::move(updated).failure();
  return {};
}

}  // namespace tabernetes::controllers

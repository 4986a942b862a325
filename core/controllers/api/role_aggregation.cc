#include "controllers/api/role_aggregation.h"

#include <vector>

#include "base/algorithm/sort.h"
#include "controllers/shared/applied.h"
#include "json/access.h"
#include "json/equality.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

const registry::ResourceType& roles_type(const registry::Registry& registry) {
  return *registry.resources().find("rbac.authorization.k8s.io", "v1", "clusterroles");
}

void scan_roles(const registry::Registry& registry, const store::Tree::Visitor& visit) {
  const std::string& prefix = roles_type(registry).key_prefix;
  registry.store().tree().scan(prefix, store::prefix_end(prefix), visit);
}

bool has(const Value& rules, const Value& rule) {
  for (const Value& known : rules.items()) {
    if (json::deep_equal(known, rule)) return true;
  }
  return false;
}

// Adds the rules of all roles but `own` that match the selector, sorted by the roles' names.
void gather(const ReconcileContext& cluster, const registry::LabelSelector& selector,
            std::string_view own, Value& rules) {
  const registry::ResourceType& type = roles_type(cluster.registry);
  scan_roles(cluster.registry, [&](std::string_view key, const store::RecordPtr& record) {
    const auto label = [&](std::string_view name) { return registry::label_of(*record, name); };
    if (!selector.matches_by(label) || registry::split_key(type, key).name == own) return true;
    const Value role = registry::read_object(type, *record, cluster.arena);
    for (const Value& rule : items_at(role, {"rules"})) {
      if (!has(rules, rule)) rules.push_back(cluster.arena, rule);
    }
    return true;
  });
}

}  // namespace

void RoleAggregation::on_change(const registry::Registry&, const WatchEvent& change) {
  if (change.type.key_prefix == "rbac.authorization.k8s.io/clusterroles/") {
    queue_.add("", change.due());
  }
}

void RoleAggregation::reconcile(const ReconcileContext& cluster, const std::string& name) {
  const registry::ResourceType& type = roles_type(cluster.registry);
  if (name.empty()) {
    scan_roles(cluster.registry, [&](std::string_view key, const store::RecordPtr& record) {
      if (record->bytes.find("\"aggregationRule\"") != std::string::npos) {
        queue_.add(registry::split_key(type, key).name, cluster.due);
      }
      return true;
    });
    return;
  }
  const registry::ObjectRef ref{&type, {}, name};
  const Value role = cluster.read(ref);
  const auto selectors = items_at(role, {"aggregationRule", "clusterRoleSelectors"});
  if (selectors.empty()) return;
  Value rules = Value::array(cluster.arena);
  for (const Value& labels : selectors) {
    const auto selector = registry::read_label_selector(labels);
    if (!selector) return;
    gather(cluster, *selector, name, rules);
  }
  const Value* present = role.find("rules");
  const bool none = present == nullptr || present->size() == 0;
  if (none ? rules.size() == 0 : json::deep_equal(*present, rules)) return;
  apply(cluster, ref, registry::Subresource::kNone, "clusterrole-aggregation-controller",
        {"rules", rules});
}

}  // namespace tabernetes::controllers

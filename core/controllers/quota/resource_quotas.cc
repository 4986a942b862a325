#include "controllers/quota/resource_quotas.h"

#include "admission/quota_usage.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using admission::ResourceList;
using json::Value;
using registry::ResourceType;

// Returns whether the change may free what a quota counts.
bool frees(const WatchEvent& change) {
  if (!change.type.resource->namespaced || change.before == nullptr) return false;
  if (change.now == nullptr) return true;
  if (is(change.type, kPods)) return change.pod->terminal() && !change.pod_before->terminal();
  const auto before = [&] { return change.object_before.get(); };
  const auto now = [&] { return change.object_now.get(); };
  if (is(change.type, kServices)) {
    return !json::deep_equal(before().at({"spec", "type"}), now().at({"spec", "type"})) ||
           !json::deep_equal(before().at({"spec", "ports"}), now().at({"spec", "ports"}));
  }
  if (is(change.type, kPersistentVolumeClaims)) {
    return !json::deep_equal(before().at({"spec", "resources"}), now().at({"spec", "resources"}));
  }
  return false;
}

// Returns whether the quota's spec differs from what the last reconciliation saw.
bool has_new_limits(const WatchEvent& change) {
  if (change.before == nullptr) return true;
  return !json::deep_equal(change.object_before.get().at({"spec", "hard"}),
                           change.object_now.get().at({"spec", "hard"}));
}

// Adds what the objects of a type use of the quota.
void add_usage(const ReconcileContext& cluster, const ResourceType& type, const Value& quota,
               ResourceList& used) {
  const std::string prefix = type.collection_prefix(namespace_of(quota));
  cluster.registry.store().tree().scan(
      prefix, store::prefix_end(prefix), [&](std::string_view, const store::RecordPtr& record) {
        json::Arena arena;
        const Value object = registry::read_object(type, *record, arena);
        if (admission::matches_scopes(type, quota, object)) {
          used.add(admission::quota_usage(type, object, cluster.now));
        }
        return true;
      });
}

// Adds how many objects of aggregated API servers there are of what no type here counts.
void add_counts_elsewhere(const ReconcileContext& cluster, const Value& quota,
                          const ResourceList& hard, ResourceList& used, ResourceList& counted) {
  constexpr std::string_view kCount = "count/";
  AggregatedCalls* const calls = cluster.aggregated();
  if (calls == nullptr) return;
  for (const auto& [name, limit] : hard.entries()) {
    if (!name.starts_with(kCount) || counted.find(name) != nullptr) continue;
    const auto count = calls->count(name.substr(kCount.size()), namespace_of(quota));
    if (!count) continue;
    used.set(name, Quantity::of(*count));
    counted.set(name, Quantity());
  }
}

// Returns what is used of each limit; what no resource counts towards is used as before.
Value usage_of(const ReconcileContext& cluster, const Value& quota, const ResourceList& hard) {
  ResourceList used, counted;
  for (const ResourceType* type : cluster.registry.resources().all()) {
    if (!type->stores() || !type->resource->namespaced) continue;
    bool measured = false;
    for (const auto& [name, limit] : hard.entries()) {
      if (!admission::measures(*type, name)) continue;
      measured = true;
      counted.set(name, Quantity());
    }
    if (measured) add_usage(cluster, *type, quota, used);
  }
  add_counts_elsewhere(cluster, quota, hard, used, counted);
  const ResourceList before(quota.at({"status", "used"}));
  Value usage = Value::object(cluster.arena);
  for (const auto& [name, limit] : hard.entries()) {
    const Quantity* amount = used.find(name);
    if (counted.find(name) == nullptr) amount = before.find(name);
    if (amount == nullptr) amount = counted.find(name);
    if (amount == nullptr) continue;
    usage.append(cluster.arena, cluster.arena.copy(name),
                 text_value(amount->to_string(), cluster.arena));
  }
  return usage;
}

}  // namespace

void ResourceQuotas::on_change(const registry::Registry& registry, const WatchEvent& change) {
  if (is(change.type, kResourceQuotas)) {
    if (change.now != nullptr && has_new_limits(change)) {
      queue_.add(queue_key(change.ns, change.name), change.due());
    }
  }
  const ResourceType& quotas = type_of(registry, kResourceQuotas);
  const std::string prefix = quotas.collection_prefix(change.ns);
  const store::Tree& tree = registry.store().tree();
  if (change.ns.empty() || tree.count(prefix, store::prefix_end(prefix)) == 0) return;
  if (!frees(change)) return;
  tree.scan(
      prefix, store::prefix_end(prefix), [&](std::string_view key, const store::RecordPtr& record) {
        json::Arena arena;
        const Value quota = registry::read_object(quotas, *record, arena);
        const ResourceList hard(quota.at({"status", "hard"}));
        for (const auto& [name, limit] : hard.entries()) {
          if (!admission::measures(change.type, name)) continue;
          queue_.add(queue_key(change.ns, registry::split_key(quotas, key).name), change.due());
          break;
        }
        return true;
      });
}

void ResourceQuotas::reconcile(const ReconcileContext& cluster, const std::string& key) {
  json::Arena& arena = cluster.arena;
  const auto [ns, name] = split_queue_key(key);
  if (name.empty()) {
    for (const Value& each : list(cluster, kResourceQuotas, ns)) {
      queue_.add(queue_key(each), cluster.now);
    }
    return;
  }
  const Value quota = get(cluster, kResourceQuotas, ns, name);
  if (quota.is_null()) return;
  const Value* limits = quota.at({"spec", "hard"});
  const Value hard = limits == nullptr ? Value::object(arena) : *limits;
  const Value used = usage_of(cluster, quota, ResourceList(&hard));
  (void)update_status(cluster, ref_of(cluster, kResourceQuotas, quota), [&](Value& object) {
    Value& status = object_or_new(object, "status", arena);
    status.set(arena, "hard", hard);
    status.set(arena, "used", used);
  });
}

}  // namespace tabernetes::controllers

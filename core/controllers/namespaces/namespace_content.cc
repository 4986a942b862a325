#include "controllers/namespaces/namespace_content.h"

#include <algorithm>

#include "controllers/namespaces/aggregated_content.h"

namespace tabernetes::controllers {
namespace {

using json::Value;
using registry::ResourceType;

bool is_pods(const ResourceType& type) {
  return type.resource->group.empty() && type.resource->plural == "pods";
}

// Returns each deletable namespaced resource once, in its preferred version.
std::vector<const ResourceType*> deletable_types(const registry::ResourceTable& resources) {
  std::vector<const ResourceType*> types;
  for (const ResourceType* type : resources.all()) {
    const schema::Resource& resource = *type->resource;
    if (!resource.namespaced || !resource.served_by_default || !resource.has_verb("delete")) {
      continue;
    }
    const bool known = std::any_of(types.begin(), types.end(), [&](const ResourceType* other) {
      return other->resource->plural == resource.plural && other->resource->group == resource.group;
    });
    if (!known) types.push_back(type);
  }
  return types;
}

std::vector<store::RecordPtr> records_of(const ReconcileContext& cluster, const ResourceType& type,
                                         std::string_view ns) {
  std::vector<store::RecordPtr> records;
  const std::string prefix = type.collection_prefix(ns);
  const store::Tree& tree = cluster.registry.store().tree();
  const std::string end = store::prefix_end(prefix);
  if (tree.count(prefix, end) == 0) return records;
  tree.scan(prefix, end, [&](std::string_view, const store::RecordPtr& record) {
    records.push_back(record);
    return true;
  });
  return records;
}

// Returns the longest grace period of running pods; 0 once it is over.
std::int64_t estimate_of_pods(const ReconcileContext& cluster, const ResourceType& type,
                              std::string_view ns, Time since) {
  std::int64_t estimate = 0;
  for (const store::RecordPtr& record : records_of(cluster, type, ns)) {
    json::Arena arena;
    const Value pod = registry::read_object(type, *record, arena);
    const Value* phase = pod.at({"status", "phase"});
    if (phase != nullptr && (phase->as_string() == "Succeeded" || phase->as_string() == "Failed")) {
      continue;
    }
    const Value* grace = pod.at({"spec", "terminationGracePeriodSeconds"});
    if (grace != nullptr && grace->is_int()) estimate = std::max(estimate, grace->as_int());
  }
  return Duration::from_seconds(estimate) < cluster.now - since ? 0 : estimate;
}

void count_finalizers(const ResourceType& type, const store::Record& record,
                      std::map<std::string, std::size_t>& finalizers) {
  json::Arena arena;
  const Value object = registry::read_object(type, record, arena);
  const Value* names = object.at({"metadata", "finalizers"});
  if (names == nullptr) return;
  for (const Value& name : names->items()) ++finalizers[std::string(name.as_string())];
}

void delete_type(const ReconcileContext& cluster, const ResourceType& type, std::string_view ns,
                 Time since, NamespaceContent& content) {
  std::int64_t estimate = is_pods(type) ? estimate_of_pods(cluster, type, ns, since) : 0;
  content.estimate_is_grace_period = content.estimate_is_grace_period || estimate > 0;
  registry::DeleteOptions options;
  options.propagation = registry::Propagation::kBackground;
  for (const store::RecordPtr& record : records_of(cluster, type, ns)) {
    json::Arena arena;
    const registry::ObjectRef ref{&type, ns, registry::split_key(type, record->key).name};
    const auto removed = cluster.registry.remove(cluster.context_in(arena),
                                                 cluster.in_storage_version(ref), options);
    if (removed || removed.error().code == 404) continue;
    content.errors.push_back(removed.error().message);
    content.estimate = std::max(content.estimate, estimate);
    return;
  }
  const std::vector<store::RecordPtr> left = records_of(cluster, type, ns);
  if (left.empty()) return;
  const schema::Resource& resource = *type.resource;
  const std::string group(resource.group);
  content.remaining[std::string(resource.plural) + "." + group] = left.size();
  std::map<std::string, std::size_t> finalizers;
  for (const store::RecordPtr& record : left) count_finalizers(type, *record, finalizers);
  for (const auto& [name, count] : finalizers) content.finalizers[name] += count;
  if (estimate == 0 && finalizers.empty()) {
    content.errors.push_back("unexpected items still remain in namespace: " + std::string(ns) +
                             " for gvr: " + group + "/" + std::string(resource.version) +
                             ", Resource=" + std::string(resource.plural));
  }
  if (estimate == 0 && !finalizers.empty()) estimate = kFinalizerEstimate;
  content.estimate = std::max(content.estimate, estimate);
}

}  // namespace

NamespaceContent delete_content(const ReconcileContext& cluster, std::string_view ns, Time since) {
  NamespaceContent content;
  AggregatedCalls* const aggregated = cluster.aggregated();
  if (aggregated != nullptr) content.undiscovered = aggregated->discovery().failed;
  const std::vector<const ResourceType*> types = deletable_types(cluster.registry.resources());
  for (const ResourceType* type : types) {
    if (is_pods(*type)) delete_type(cluster, *type, ns, since, content);
  }
  if (!content.remaining.empty()) {
    content.pods_only = true;
    return content;
  }
  for (const ResourceType* type : types) {
    if (!is_pods(*type)) delete_type(cluster, *type, ns, since, content);
  }
  if (aggregated != nullptr) delete_aggregated_content(*aggregated, ns, content);
  return content;
}

}  // namespace tabernetes::controllers

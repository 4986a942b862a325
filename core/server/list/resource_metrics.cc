#include "server/list/resource_metrics.h"

#include <map>
#include <string>

#include "base/time/rfc3339.h"
#include "controllers/kubelet/usage.h"
#include "custom/definition/metrics_kinds.h"
#include "json/access.h"
#include "registry/objects/object_record.h"

namespace tabernetes::server {
namespace {

using controllers::kubelet::ContainerUsage;
using controllers::kubelet::UsagePoint;
using json::Value;

Value usage_value(const UsagePoint& usage, json::Arena& arena) {
  Value value = Value::object(arena);
  value.append(arena, "cpu", Value::string(arena.copy(std::to_string(usage.cpu) + "n")));
  value.append(arena, "memory",
               Value::string(arena.copy(std::to_string(usage.memory / 1024) + "Ki")));
  return value;
}

// Returns an object without its usage; `of` is the pod or node.
Value metrics_of(const RequestContext& call, const Value& of, json::Arena& arena) {
  const std::string_view now = arena.copy(format_rfc3339(call.now));
  const Value& about = *of.find("metadata");
  Value metadata = Value::object(arena);
  for (const std::string_view key : {"name", "namespace"}) {
    if (const Value* text = about.find(key)) metadata.append(arena, key, *text);
  }
  metadata.append(arena, "creationTimestamp", Value::string(now));
  if (const Value* labels = about.find("labels")) metadata.append(arena, "labels", *labels);
  Value object = Value::object(arena);
  object.append(arena, "apiVersion", Value::string(call.type->api_version));
  object.append(arena, "kind", Value::string(call.type->resource->kind));
  object.append(arena, "metadata", metadata);
  object.append(arena, "timestamp", Value::string(now));
  object.append(arena, "window", Value::string("15s"));
  return object;
}

store::RecordPtr record_of(const RequestContext& call, const Value& object, json::Arena& arena) {
  auto record = registry::make_record(
      registry::encode_for_storage(*call.type, object, registry::VersionMember::kAbsent, arena), 0);
  record->key = call.type->key(text_at(object, {"metadata", "namespace"}),
                               text_at(object, {"metadata", "name"}));
  return record;
}

// Calls `visit` with the pods of a namespace (empty: of all) that run something.
template <typename Visit>
void each_running(const RequestContext& call, std::string_view ns, const Visit& visit) {
  const registry::ResourceType& pods = *call.resources.find("", "v1", "pods");
  const std::string prefix = pods.collection_prefix(ns);
  call.objects.tree().scan(
      prefix, store::prefix_end(prefix), [&](std::string_view, const store::RecordPtr& record) {
        json::Arena arena;
        const Value pod = registry::read_object(pods, *record, arena);
        const auto usage = controllers::kubelet::usage_of_pod(pod, call.behaviour, call.now);
        if (!usage.empty()) visit(pod, usage, arena);
        return true;
      });
}

store::RecordPtr pod_metrics(const RequestContext& call, const Value& pod,
                             const std::vector<ContainerUsage>& usage, json::Arena& arena) {
  Value containers = Value::array(arena);
  for (const ContainerUsage& one : usage) {
    Value container = Value::object(arena);
    container.append(arena, "name", Value::string(one.name));
    container.append(arena, "usage", usage_value(one.usage, arena));
    containers.push_back(arena, container);
  }
  Value object = metrics_of(call, pod, arena);
  object.append(arena, "containers", containers);
  return record_of(call, object, arena);
}

std::vector<store::RecordPtr> node_metrics(const RequestContext& call) {
  std::map<std::string, UsagePoint, std::less<>> used;
  each_running(call, {}, [&](const Value& pod, const std::vector<ContainerUsage>& usage, auto&) {
    UsagePoint& sum = used[std::string(text_at(pod, {"spec", "nodeName"}))];
    const UsagePoint more = controllers::kubelet::sum_of(usage);
    sum.cpu += more.cpu;
    sum.memory += more.memory;
  });
  const registry::ResourceType& nodes = *call.resources.find("", "v1", "nodes");
  std::vector<store::RecordPtr> records;
  call.objects.tree().scan(
      nodes.key_prefix, store::prefix_end(nodes.key_prefix),
      [&](std::string_view, const store::RecordPtr& record) {
        json::Arena arena;
        const Value node = registry::read_object(nodes, *record, arena);
        UsagePoint sum = used[std::string(text_at(node, {"metadata", "name"}))];
        sum.cpu += controllers::kubelet::kNodeCpu;
        sum.memory += controllers::kubelet::kNodeMemory;
        Value object = metrics_of(call, node, arena);
        object.append(arena, "usage", usage_value(sum, arena));
        records.push_back(record_of(call, object, arena));
        return true;
      });
  return records;
}

std::vector<store::RecordPtr> all_metrics(const RequestContext& call) {
  if (!call.type->resource->namespaced) return node_metrics(call);
  std::vector<store::RecordPtr> records;
  each_running(call, call.ns,
               [&](const Value& pod, const std::vector<ContainerUsage>& usage, json::Arena& arena) {
                 records.push_back(pod_metrics(call, pod, usage, arena));
               });
  return records;
}

}  // namespace

bool is_resource_metrics(const RequestContext& call) {
  return call.type->resource->group == registry::custom::kMetricsGroup;
}

ListPage list_resource_metrics(const RequestContext& call, const ObjectSelector& selector) {
  ListPage page;
  for (store::RecordPtr& record : all_metrics(call)) {
    if (selector.everything() || selector.matches(*call.type, record->key, *record)) {
      page.records.push_back(std::move(record));
    }
  }
  return page;
}

Result<store::RecordPtr> get_resource_metrics(const RequestContext& call) {
  const std::string key = call.type->key(call.ns, call.name);
  for (store::RecordPtr& record : all_metrics(call)) {
    if (record->key == key) return std::move(record);
  }
  const std::string kind = call.type->resource->namespaced ? "podmetrics" : "nodemetrics";
  const std::string name = call.ns.empty() ? call.name : call.ns + "/" + call.name;
  return errors::not_found({std::string(registry::custom::kMetricsGroup), kind}, name);
}

}  // namespace tabernetes::server

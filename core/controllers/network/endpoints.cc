#include "controllers/network/endpoints.h"

#include "controllers/network/endpoint_subsets.h"
#include "controllers/shared/event_recorder.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kEndpointsManager = "endpoint-controller";
constexpr std::string_view kEndpointsManagedBy = "endpoints.kubernetes.io/managed-by";
constexpr std::string_view kHeadlessLabel = "service.kubernetes.io/headless";
constexpr std::string_view kChangeTime = "endpoints.kubernetes.io/last-change-trigger-time";
constexpr std::string_view kOverCapacity = "endpoints.kubernetes.io/over-capacity";

Value endpoints_labels(const Value& service, json::Arena& arena) {
  Value labels = Value::object(arena);
  for (const json::Member& label : members_at(service, {"metadata", "labels"})) {
    if (label.key != kHeadlessLabel) labels.append(arena, label.key, label.value);
  }
  if (is_headless(service)) labels.set(arena, kHeadlessLabel, Value::string(""));
  labels.set(arena, kEndpointsManagedBy, Value::string(kEndpointsManager));
  return labels;
}

// Returns whether nothing but the annotations, and the label of headless services, can differ.
bool is_current(const Value& stored, const Value& subsets, const Value& labels, bool truncated) {
  const Value* stored_labels = stored.at({"metadata", "labels"});
  const Value* stored_subsets = stored.find("subsets");
  const bool has_subsets = stored_subsets != nullptr && stored_subsets->size() > 0;
  const bool marked = stored.at({"metadata", "annotations", kOverCapacity}) != nullptr;
  return stored_labels != nullptr && json::deep_equal(*stored_labels, labels) &&
         marked == truncated &&
         (has_subsets ? json::deep_equal(*stored_subsets, subsets) : subsets.size() == 0);
}

}  // namespace

void EndpointsLoop::observe_endpoints(const WatchEvent& change) {
  if (!is(change.type, kEndpoints)) return;
  const bool deleted = change.now == nullptr;
  // What exists from the start may have lost its service.
  const bool found = change.before == nullptr && change.now != nullptr &&
                     registry::label_of(*change.now, kEndpointsManagedBy) == kEndpointsManager;
  if (deleted || found) queue_.add(queue_key(change.ns, change.name), change.due());
}

void EndpointsLoop::reconcile(const ReconcileContext& cluster, const std::string& key) {
  json::Arena& arena = cluster.arena;
  const auto [ns, name] = split_queue_key(key);
  const registry::ObjectRef ref{&type_of(cluster.registry, kEndpoints), ns, name};
  const Value service = get(cluster, kServices, ns, name);
  if (service.is_null()) {
    (void)delete_object(cluster, ref);
    trigger_times_.forget(key);
    return;
  }
  if (!has_endpoints(service)) return;
  const std::vector<Value> pods =
      list(cluster, kPods, ns, selector_of_labels(*service.at({"spec", "selector"})));
  const std::optional<Time> trigger = trigger_times_.next(key, service, pods);
  Value subsets = subsets_of(service, pods, *ref.type->resource->type, arena);
  const bool truncated = truncate_subsets(subsets);
  const Value labels = endpoints_labels(service, arena);
  const auto fill = [&](Value& object) {
    Value& metadata = object_or_new(object, "metadata", arena);
    metadata.set(arena, "labels", labels);
    Value& annotations = object_or_new(metadata, "annotations", arena);
    annotations.erase(kChangeTime);
    if (trigger) annotations.set(arena, kChangeTime, time_value(*trigger, arena));
    annotations.erase(kOverCapacity);
    if (truncated) annotations.set(arena, kOverCapacity, Value::string("truncated"));
    if (annotations.size() == 0) metadata.erase("annotations");
    object.erase("subsets");
    if (subsets.size() > 0) object.set(arena, "subsets", subsets);
  };

  const Value stored = get(cluster, kEndpoints, ns, name);
  if (!stored.is_null()) {
    if (is_current(stored, subsets, labels, truncated)) return;
    const auto updated = update(cluster, ref, fill);
    if (updated) return;
    record_event(cluster, ref,
                 {kEndpointsManager, "Warning", "FailedToUpdateEndpoint",
                  "Failed to update endpoint " + key + ": " + updated.error().message});
    return;
  }
  Value endpoints = Value::object(arena);
  object_or_new(endpoints, "metadata", arena).set(arena, "name", Value::string(name));
  fill(endpoints);
  (void)create(cluster, kEndpoints, ns, endpoints);
}

}  // namespace tabernetes::controllers

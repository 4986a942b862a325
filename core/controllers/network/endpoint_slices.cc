#include "controllers/network/endpoint_slices.h"

#include "base/time/rfc3339.h"
#include "controllers/network/slice_reconciler.h"
#include "controllers/shared/event_recorder.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kSliceManager = "endpointslice-controller.k8s.io";
constexpr std::string_view kSource = "endpoint-slice-controller";
constexpr std::string_view kServiceName = "kubernetes.io/service-name";
constexpr std::string_view kManagedBy = "endpointslice.kubernetes.io/managed-by";
constexpr std::string_view kHeadless = "service.kubernetes.io/headless";
constexpr std::string_view kTriggerTime = "endpoints.kubernetes.io/last-change-trigger-time";
// How long to wait for a node that pods are said to be on.
constexpr Duration kNodeRetry = Duration::from_seconds(1);

bool is_reserved(std::string_view label) {
  return label == kServiceName || label == kManagedBy || label == kHeadless;
}

Value labels_for(const Value& service, json::Arena& arena) {
  Value labels = Value::object(arena);
  for (const json::Member& label : members_at(service, {"metadata", "labels"})) {
    if (!is_reserved(label.key)) labels.append(arena, label.key, label.value);
  }
  if (is_headless(service)) labels.append(arena, kHeadless, Value::string(""));
  labels.append(arena, kServiceName, Value::string(name_of(service)));
  labels.append(arena, kManagedBy, Value::string(kSliceManager));
  return labels;
}

// The service's ports as the pod has them.
Value ports_of(const Value& service, const Value& pod, json::Arena& arena) {
  Value ports = Value::array(arena);
  for (const Value& service_port : items_at(service, {"spec", "ports"})) {
    const auto number = find_port(pod, service_port);
    if (!number) continue;
    Value port = Value::object(arena);
    port.append(arena, "name", Value::string(service_port.string_at("name")));
    port.append(arena, "protocol", Value::string(service_port.string_at("protocol")));
    port.append(arena, "port", Value::integer(*number));
    if (const Value* protocol = service_port.find("appProtocol")) {
      port.append(arena, "appProtocol", *protocol);
    }
    ports.push_back(arena, port);
  }
  return ports;
}

Value names_array(std::string_view name, json::Arena& arena) {
  Value array = Value::array(arena);
  array.push_back(arena, object_of({{"name", Value::string(name)}}, arena));
  return array;
}

// Where the endpoint is preferred, if the service prefers endpoints that are near.
Value hints_of(const Value& service, bool ready, std::string_view zone, std::string_view node,
               json::Arena& arena) {
  const std::string_view near = text_at(service, {"spec", "trafficDistribution"});
  if (!ready || TopologyHints::are_wanted_by(service) ||
      (near != "PreferClose" && near != "PreferSameZone" && near != "PreferSameNode")) {
    return {};
  }
  const bool to_node = near == "PreferSameNode" && !node.empty();
  if (zone.empty() && !to_node) return {};
  return object_of({{"forZones", zone.empty() ? Value() : names_array(zone, arena)},
                    {"forNodes", to_node ? names_array(node, arena) : Value()}},
                   arena);
}

Value endpoint_of(const Value& pod, const Value& node, const Value& service,
                  const std::vector<std::string>& addresses, json::Arena& arena) {
  Value address_list = Value::array(arena);
  for (const std::string& address : addresses) {
    address_list.push_back(arena, text_value(address, arena));
  }
  const bool serving = registry::condition_is_true(pod, "Ready");
  const bool terminating = is_terminating(pod);
  const bool ready =
      bool_at(service, {"spec", "publishNotReadyAddresses"}) || (serving && !terminating);
  const std::string_view node_name = text_at(pod, {"spec", "nodeName"});
  const std::string_view zone =
      node.is_null() ? std::string_view()
                     : text_at(node, {"metadata", "labels", "topology.kubernetes.io/zone"});
  return object_of({{"addresses", address_list},
                    {"conditions", object_of({{"ready", Value::boolean(ready)},
                                              {"serving", Value::boolean(serving)},
                                              {"terminating", Value::boolean(terminating)}},
                                             arena)},
                    {"hostname", Value::string(hostname_under(pod, service))},
                    {"targetRef", object_of({{"kind", Value::string("Pod")},
                                             {"namespace", Value::string(namespace_of(pod))},
                                             {"name", Value::string(name_of(pod))},
                                             {"uid", Value::string(uid_of(pod))}},
                                            arena)},
                    {"nodeName", Value::string(node_name)},
                    {"zone", Value::string(zone)},
                    {"hints", hints_of(service, ready, zone, node_name, arena)}},
                   arena);
}

struct Grouped {
  std::vector<EndpointGroup> groups;
  std::string error;  // about a pod that was left out
};

EndpointGroup& group_with(std::vector<EndpointGroup>& groups, const Value& ports) {
  for (EndpointGroup& group : groups) {
    if (json::deep_equal(group.ports, ports)) return group;
  }
  return groups.emplace_back(EndpointGroup{ports, {}});
}

Grouped grouped(const ReconcileContext& cluster, const Value& service,
                const std::vector<Value>& pods, std::string_view family) {
  Grouped result;
  for (const Value& pod : pods) {
    if (!may_be_endpoint(pod)) continue;
    EndpointGroup& group = group_with(result.groups, ports_of(service, pod, cluster.arena));
    const std::string_view node_name = text_at(pod, {"spec", "nodeName"});
    const Value node = node_name.empty() ? Value() : get(cluster, kNodes, {}, node_name);
    if (node.is_null() && !bool_at(service, {"spec", "publishNotReadyAddresses"})) {
      result.error = "skipping Pod " + std::string(name_of(pod)) + " for Service " +
                     queue_key(service) + ": Node " + std::string(node_name) + " Not Found";
      continue;
    }
    const std::vector<std::string> addresses = addresses_of(pod, family);
    if (addresses.empty()) continue;
    group.endpoints.push_back(endpoint_of(pod, node, service, addresses, cluster.arena));
  }
  return result;
}

}  // namespace

void EndpointSliceLoop::observe_endpoints(const WatchEvent& change) {
  if (is(change.type, kNodes) && TopologyHints::is_concerned(change)) {
    hints_.forget_nodes();
    queue_.add(kNodesKey, change.due());
  }
  if (!is(change.type, kEndpointSlices) || change.before == nullptr) return;
  if (change.now != nullptr && change.now->revision > own_after_ &&
      change.now->revision <= own_until_) {
    return;
  }
  if (registry::label_of(*change.before, kManagedBy) != kSliceManager) return;
  const auto service = registry::label_of(*change.before, kServiceName);
  if (service) queue_.add(queue_key(change.ns, *service), change.due());
}

std::string EndpointSliceLoop::reconcile_family(const ReconcileContext& cluster,
                                                const Value& service, std::string_view family,
                                                std::vector<EndpointGroup> groups,
                                                const std::vector<Value>& existing,
                                                std::optional<Time> trigger) {
  json::Arena& arena = cluster.arena;
  WantedSlices wanted{.ns = namespace_of(service),
                      .address_type = family,
                      .groups = std::move(groups),
                      .labels = labels_for(service, arena),
                      .owner = controller_ref_to(kServices, "Service", service, arena),
                      .name_prefix = slice_name_prefix(name_of(service)),
                      .owner_is_terminating = is_terminating(service)};
  wanted.annotate = [&](Value& metadata) {
    Value& annotations = object_or_new(metadata, "annotations", arena);
    if (trigger) {
      annotations.set(arena, kTriggerTime, time_value(*trigger, arena));
    } else {
      annotations.erase(kTriggerTime);
    }
    if (annotations.size() == 0) metadata.erase("annotations");
  };
  std::optional<TopologyHints::Report> report;
  const std::string key = queue_key(service);
  if (TopologyHints::are_wanted_by(service)) {
    wanted.hint = [&](std::vector<HintedSlice>& slices) {
      report = hints_.assign(cluster, key, family, slices);
    };
  } else {
    report = hints_.withdraw(key, family);
  }
  std::string failure = reconcile_slices(cluster, wanted, existing);
  if (report) {
    record_event(cluster, type_of(cluster.registry, kServices), service,
                 {kSource, report->type, report->reason, report->message});
  }
  return failure;
}

void EndpointSliceLoop::reconcile(const ReconcileContext& cluster, const std::string& key) {
  if (key == kNodesKey) {
    for (const std::string& service : hints_.overloaded(cluster)) queue_.add(service, cluster.now);
    return;
  }
  own_after_ = cluster.registry.store().revision();
  reconcile_service(cluster, key);
  own_until_ = cluster.registry.store().revision();
}

void EndpointSliceLoop::reconcile_service(const ReconcileContext& cluster, const std::string& key) {
  json::Arena& arena = cluster.arena;
  const auto [ns, name] = split_queue_key(key);
  const Value service = get(cluster, kServices, ns, name);
  if (service.is_null()) {
    trigger_times_.forget(key);
    return;
  }
  if (!has_endpoints(service)) return;
  const std::vector<Value> pods =
      list(cluster, kPods, ns, selector_of_labels(*service.at({"spec", "selector"})));
  const std::optional<Time> trigger = trigger_times_.next(key, service, pods);

  Value own = Value::object(arena);
  own.append(arena, kServiceName, Value::string(name));
  own.append(arena, kManagedBy, Value::string(kSliceManager));
  std::vector<Value> slices = list(cluster, kEndpointSlices, ns, selector_of_labels(own));
  std::erase_if(slices, is_terminating);

  std::string error;
  for (const Value& family : items_at(service, {"spec", "ipFamilies"})) {
    std::vector<Value> existing;
    for (auto it = slices.begin(); it != slices.end();) {
      if (it->string_at("addressType") == family.as_string()) {
        existing.push_back(*it);
        it = slices.erase(it);
      } else {
        ++it;
      }
    }
    Grouped wanted = grouped(cluster, service, pods, family.as_string());
    if (!wanted.error.empty()) error = wanted.error;
    const std::string failure = reconcile_family(cluster, service, family.as_string(),
                                                 std::move(wanted.groups), existing, trigger);
    if (!failure.empty()) error = failure;
  }
  for (const Value& slice : slices) {
    (void)delete_object(cluster, ref_of(cluster, kEndpointSlices, slice));
  }
  if (error.empty()) return;
  record_event(cluster, {&type_of(cluster.registry, kServices), ns, name},
               {kSource, "Warning", "FailedToUpdateEndpointSlices",
                "Error updating Endpoint Slices for Service " + key + ": " + error});
  queue_.add(key, cluster.now + kNodeRetry);
}

}  // namespace tabernetes::controllers

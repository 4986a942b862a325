#include "controllers/network/endpoint_slice_mirroring.h"

#include "base/net/ip_address.h"
#include "controllers/network/slice_reconciler.h"
#include "controllers/shared/event_recorder.h"
#include "controllers/shared/objects.h"
#include "json/access.h"
#include "json/equality.h"
#include "json/fill.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

constexpr std::string_view kMirrorManager = "endpointslicemirroring-controller.k8s.io";
constexpr std::string_view kMirrorManagedBy = "endpointslice.kubernetes.io/managed-by";
constexpr std::string_view kMirroredService = "kubernetes.io/service-name";
constexpr std::string_view kSkipMirror = "endpointslice.kubernetes.io/skip-mirror";
constexpr std::string_view kLeader = "control-plane.alpha.kubernetes.io/leader";
// Not copied to slices.
constexpr std::string_view kTriggered = "endpoints.kubernetes.io/last-change-trigger-time";
constexpr std::string_view kLastApplied = "kubectl.kubernetes.io/last-applied-configuration";
constexpr std::size_t kMostMirrored = 1000;  // addresses of a subset

bool is_mirrored(const Value& endpoints) {
  return !endpoints.is_null() &&
         text_at(endpoints, {"metadata", "labels", kSkipMirror}) != "true" &&
         endpoints.at({"metadata", "annotations", kLeader}) == nullptr;
}

Value mirrored_ports(const Value& subset, json::Arena& arena) {
  Value ports = Value::array(arena);
  for (const Value& port : items_in(subset, "ports")) {
    Value mirrored = Value::object(arena);
    mirrored.append(arena, "name", Value::string(port.string_at("name")));
    mirrored.append(arena, "protocol", Value::string(port.string_at("protocol")));
    mirrored.append(arena, "port", Value::integer(number_at(port, {"port"})));
    if (const Value* protocol = port.find("appProtocol")) {
      mirrored.append(arena, "appProtocol", *protocol);
    }
    ports.push_back(arena, mirrored);
  }
  return ports;
}

// What one pass found, of all subsets.
struct Mirrored {
  std::vector<EndpointGroup> v4, v6;
  std::size_t invalid = 0, skipped = 0;
};

void mirror_address(const Value& address, bool ready, const Value& ports, json::Arena& arena,
                    Mirrored& mirrored) {
  const auto ip = parse_ip(address.string_at("ip"));
  if (!ip) {
    ++mirrored.invalid;
    return;
  }
  std::vector<EndpointGroup>& groups = ip->v4 ? mirrored.v4 : mirrored.v6;
  Value addresses = Value::array(arena);
  addresses.push_back(arena, text_value(ip->to_string(), arena));
  const Value* target = address.find("targetRef");
  const Value endpoint =
      object_of({{"addresses", addresses},
                 {"conditions", object_of({{"ready", Value::boolean(ready)}}, arena)},
                 {"hostname", Value::string(address.string_at("hostname"))},
                 {"targetRef", target == nullptr ? Value() : *target},
                 {"nodeName", Value::string(address.string_at("nodeName"))}},
                arena);
  for (EndpointGroup& group : groups) {
    if (!json::deep_equal(group.ports, ports)) continue;
    group.endpoints.push_back(endpoint);
    return;
  }
  groups.push_back({ports, {endpoint}});
}

Mirrored mirrored_endpoints(const Value& endpoints, json::Arena& arena) {
  Mirrored mirrored;
  for (const Value& subset : items_in(endpoints, "subsets")) {
    const Value ports = mirrored_ports(subset, arena);
    std::size_t count = 0;
    for (const std::string_view list : {"addresses", "notReadyAddresses"}) {
      for (const Value& address : items_in(subset, list)) {
        if (count++ < kMostMirrored) {
          mirror_address(address, list == "addresses", ports, arena, mirrored);
        } else {
          ++mirrored.skipped;
        }
      }
    }
  }
  return mirrored;
}

Value mirrored_labels(const Value& endpoints, json::Arena& arena) {
  Value labels = Value::object(arena);
  for (const json::Member& label : members_at(endpoints, {"metadata", "labels"})) {
    labels.append(arena, label.key, label.value);
  }
  labels.set(arena, kMirroredService, Value::string(name_of(endpoints)));
  labels.set(arena, kMirrorManagedBy, Value::string(kMirrorManager));
  return labels;
}

Value mirrored_annotations(const Value& endpoints, json::Arena& arena) {
  Value annotations = Value::object(arena);
  for (const json::Member& annotation : members_at(endpoints, {"metadata", "annotations"})) {
    if (annotation.key == kTriggered || annotation.key == kLastApplied) continue;
    annotations.append(arena, annotation.key, annotation.value);
  }
  return annotations;
}

void tell(const ReconcileContext& cluster, const Value& endpoints, const Mirrored& mirrored) {
  constexpr std::string_view kMirrorSource = "endpoint-slice-mirroring-controller";
  const registry::ObjectRef ref = ref_of(cluster, kEndpoints, endpoints);
  if (mirrored.invalid > 0) {
    record_event(cluster, ref,
                 {kMirrorSource, "Warning", "InvalidIPAddress",
                  "Skipped " + std::to_string(mirrored.invalid) +
                      " invalid IP addresses when mirroring to EndpointSlices"});
  }
  if (mirrored.skipped > 0) {
    record_event(cluster, ref,
                 {kMirrorSource, "Warning", "TooManyAddressesToMirror",
                  "A max of 1000 addresses can be mirrored to EndpointSlices per Endpoints "
                  "subset. " +
                      std::to_string(mirrored.skipped) + " addresses were skipped"});
  }
}

std::vector<Value> mirrors_of(const ReconcileContext& cluster, std::string_view ns,
                              std::string_view name) {
  Value labels = Value::object(cluster.arena);
  labels.append(cluster.arena, kMirroredService, Value::string(name));
  labels.append(cluster.arena, kMirrorManagedBy, Value::string(kMirrorManager));
  return list(cluster, kEndpointSlices, ns, selector_of_labels(labels));
}

}  // namespace

void EndpointSliceMirroring::on_change(const registry::Registry&, const WatchEvent& change) {
  if (is(change.type, kEndpoints) || is(change.type, kServices)) {
    queue_.add(queue_key(change.ns, change.name), change.due());
  } else if (is(change.type, kEndpointSlices) && change.before != nullptr &&
             registry::label_of(*change.before, kMirrorManagedBy) == kMirrorManager) {
    const auto service = registry::label_of(*change.before, kMirroredService);
    if (service) queue_.add(queue_key(change.ns, *service), change.due());
  }
}

void EndpointSliceMirroring::reconcile(const ReconcileContext& cluster, const std::string& key) {
  json::Arena& arena = cluster.arena;
  const auto [ns, name] = split_queue_key(key);
  const Value endpoints = get(cluster, kEndpoints, ns, name);
  const Value service = get(cluster, kServices, ns, name);
  std::vector<Value> slices = mirrors_of(cluster, ns, name);
  if (!is_mirrored(endpoints) || service.is_null() || service.at({"spec", "selector"}) != nullptr) {
    for (const Value& slice : slices) {
      (void)delete_object(cluster, ref_of(cluster, kEndpointSlices, slice));
    }
    return;
  }
  Mirrored mirrored = mirrored_endpoints(endpoints, arena);
  tell(cluster, endpoints, mirrored);
  const Value annotations = mirrored_annotations(endpoints, arena);
  for (const std::string_view family : {"IPv4", "IPv6"}) {
    std::vector<Value> existing;
    for (const Value& slice : slices) {
      if (slice.string_at("addressType") == family) existing.push_back(slice);
    }
    (void)reconcile_slices(cluster,
                           {.ns = ns,
                            .address_type = family,
                            .groups = std::move(family == "IPv4" ? mirrored.v4 : mirrored.v6),
                            .labels = mirrored_labels(endpoints, arena),
                            .owner = controller_ref_to(kEndpoints, "Endpoints", endpoints, arena),
                            .name_prefix = slice_name_prefix(name),
                            .most_per_slice = kMostMirrored,
                            .keeps_empty_slice = false,
                            .owner_is_terminating = is_terminating(endpoints),
                            .is_written_anew = true,
                            .annotate =
                                [&](Value& metadata) {
                                  metadata.erase("annotations");
                                  if (annotations.size() > 0) {
                                    metadata.set(arena, "annotations", annotations.clone(arena));
                                  }
                                },
                            .is_annotated =
                                [&](const Value& slice) {
                                  const Value* stored = slice.at({"metadata", "annotations"});
                                  return stored == nullptr ? annotations.size() == 0
                                                           : json::deep_equal(*stored, annotations);
                                }},
                           existing);
  }
}

}  // namespace tabernetes::controllers

#include "controllers/kubelet/node_status.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/crypto/hash.h"
#include "base/time/rfc3339.h"
#include "controllers/kubelet/image_name.h"
#include "json/access.h"
#include "json/fill.h"
#include "registry/meta/conditions.h"

namespace tabernetes::controllers::kubelet {
namespace {

using json::Value;

constexpr std::size_t kMostImages = 50;
constexpr std::string_view kKubeletVersion = "v1.36.2";

Value texts(std::initializer_list<std::pair<std::string_view, std::string_view>> members,
            json::Arena& arena) {
  Value object = Value::object(arena);
  for (const auto& [key, text] : members) {
    object.append(arena, key, Value::string(arena.copy(text)));
  }
  return object;
}

// Nodes that KWOK's annotation marks get KWOK's capacity.
Value usual_capacity(const Value& node, json::Arena& arena) {
  if (text_at(node, {"metadata", "annotations", "kwok.x-k8s.io/node"}) == "fake") {
    return texts({{"cpu", "1k"}, {"memory", "1Ti"}, {"pods", "1M"}}, arena);
  }
  return texts({{"cpu", "8"},
                {"ephemeral-storage", "100Gi"},
                {"hugepages-1Gi", "0"},
                {"hugepages-2Mi", "0"},
                {"memory", "32Gi"},
                {"pods", "110"}},
               arena);
}

std::string uuid_of(std::string_view text) {
  std::string digest = sha256_hex(text).substr(0, 32);
  for (const std::size_t place : {8U, 13U, 18U, 23U}) digest.insert(place, "-");
  return digest;
}

Value node_info(std::string_view name, json::Arena& arena) {
  const std::string text(name);
  return texts({{"machineID", sha256_hex("machine " + text).substr(0, 32)},
                {"systemUUID", uuid_of("system " + text)},
                {"bootID", uuid_of("boot " + text)},
                {"kernelVersion", "6.12.0"},
                {"osImage", "tabernetes"},
                {"containerRuntimeVersion", "containerd://2.1.0"},
                {"kubeletVersion", kKubeletVersion},
                {"kubeProxyVersion", ""},
                {"operatingSystem", "linux"},
                {"architecture", "amd64"}},
               arena);
}

Value addresses(std::string_view name, std::string_view host_ip, json::Arena& arena) {
  Value list = Value::array(arena);
  list.push_back(arena, texts({{"type", "InternalIP"}, {"address", host_ip}}, arena));
  list.push_back(arena, texts({{"type", "Hostname"}, {"address", name}}, arena));
  return list;
}

// The largest images, as kubelets report them.
Value images_of(const Node& node, json::Arena& arena) {
  std::vector<std::pair<std::int64_t, std::string_view>> largest;
  for (const auto& [name, size] : node.images) largest.emplace_back(-size, name);
  sort_stable(largest);
  if (largest.size() > kMostImages) largest.resize(kMostImages);
  Value list = Value::array(arena);
  for (const auto& [size, name] : largest) {
    Value names = Value::array(arena);
    const std::string id = image_id(name);
    names.push_back(arena, Value::string(arena.copy(id)));
    if (id != name) names.push_back(arena, Value::string(arena.copy(name)));
    Value image = Value::object(arena);
    image.append(arena, "names", names);
    image.append(arena, "sizeBytes", Value::integer(-size));
    list.push_back(arena, image);
  }
  return list;
}

// What a kubelet 1.36 declares with its default gates. Source: upstream 1.36
// component-helpers/nodedeclaredfeatures/features.
Value declared_features(json::Arena& arena) {
  Value list = Value::array(arena);
  for (const std::string_view name :
       {"ExtendWebSocketsToKubelet", "InPlacePodLevelResourcesVerticalScaling",
        "InPlacePodVerticalScalingInitContainers", "RestartAllContainersOnContainerExits"}) {
    list.push_back(arena, Value::string(name));
  }
  return list;
}

struct Healthy {
  std::string_view type, status, reason, message;
};
constexpr Healthy kHealthy[] = {
    {"MemoryPressure", "False", "KubeletHasSufficientMemory",
     "kubelet has sufficient memory available"},
    {"DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"},
    {"PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"},
    {"Ready", "True", "KubeletReady", "kubelet is posting ready status"},
};

constexpr Healthy kNotReady{
    "Ready", "False", "KubeletNotReady",
    "container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady "
    "message:Network plugin returns error: cni plugin not initialized"};

Value condition_of(const Value& node, const Healthy& healthy, std::string_view time,
                   json::Arena& arena) {
  const Value* before = registry::find_condition(node, healthy.type);
  const bool stays = before != nullptr && before->string_at("status") == healthy.status;
  return texts({{"type", healthy.type},
                {"status", healthy.status},
                {"lastHeartbeatTime", time},
                {"lastTransitionTime", stays ? before->string_at("lastTransitionTime") : time},
                {"reason", healthy.reason},
                {"message", healthy.message}},
               arena);
}

// Replaces the kubelet's own conditions where they are, and appends those that are missing.
Value refreshed_conditions(const Value& node, NodeState state, Time now, json::Arena& arena) {
  const std::string time = format_rfc3339(now);
  std::vector<Healthy> own(std::begin(kHealthy), std::end(kHealthy));
  if (state == NodeState::kNotReady) own.back() = kNotReady;
  Value conditions = Value::array(arena);
  for (const Value& condition : items_at(node, {"status", "conditions"})) {
    const auto found = std::find_if(own.begin(), own.end(), [&](const Healthy& healthy) {
      return healthy.type == condition.string_at("type");
    });
    if (found == own.end()) {
      conditions.push_back(arena, condition);
    } else {
      conditions.push_back(arena, condition_of(node, *found, time, arena));
      own.erase(found);
    }
  }
  for (const Healthy& healthy : own) {
    conditions.push_back(arena, condition_of(node, healthy, time, arena));
  }
  return conditions;
}

}  // namespace

bool complete_metadata(Value& node, json::Arena& arena) {
  Value& metadata = object_or_new(node, "metadata", arena);
  const std::string_view name = metadata.string_at("name");
  const auto complete =
      [&](std::string_view member,
          std::initializer_list<std::pair<std::string_view, std::string_view>> wanted) {
        Value& map = object_or_new(metadata, member, arena);
        bool added = false;
        for (const auto& [key, text] : wanted) {
          if (map.find(key) != nullptr) continue;
          map.set(arena, key, Value::string(arena.copy(text)));
          added = true;
        }
        return added;
      };
  const bool labels = complete("labels", {{"beta.kubernetes.io/arch", "amd64"},
                                          {"beta.kubernetes.io/os", "linux"},
                                          {"kubernetes.io/arch", "amd64"},
                                          {"kubernetes.io/hostname", name},
                                          {"kubernetes.io/os", "linux"}});
  const bool annotations =
      complete("annotations", {{"volumes.kubernetes.io/controller-managed-attach-detach", "true"}});
  return labels || annotations;
}

Value node_status(const Value& reported, const Node& node, Time now, json::Arena& arena) {
  const std::string_view name = text_at(reported, {"metadata", "name"});
  const Value* old = reported.find("status");
  Value status =
      old == nullptr || !old->is_object() ? Value::object(arena) : old->shallow_copy(arena);
  const Value* capacity = status.find("capacity");
  const Value* allocatable = status.find("allocatable");
  if (capacity == nullptr || capacity->size() == 0) {
    status.set(arena, "capacity",
               allocatable != nullptr && allocatable->size() > 0 ? *allocatable
                                                                 : usual_capacity(reported, arena));
  }
  if (items_at(status, {"allocatable"}).size() == 0 &&
      members_at(status, {"allocatable"}).empty()) {
    status.set(arena, "allocatable", *status.find("capacity"));
  }
  status.set(arena, "conditions", refreshed_conditions(reported, node.state, now, arena));
  if (items_at(status, {"addresses"}).empty()) {
    status.set(arena, "addresses", addresses(name, node.host_ip, arena));
  }
  if (number_at(status, {"daemonEndpoints", "kubeletEndpoint", "Port"}) == 0) {
    Value port = Value::object(arena);
    port.append(arena, "Port", Value::integer(10250));
    Value endpoints = Value::object(arena);
    endpoints.append(arena, "kubeletEndpoint", port);
    status.set(arena, "daemonEndpoints", endpoints);
  }
  if (text_at(status, {"nodeInfo", "kubeletVersion"}).empty()) {
    status.set(arena, "nodeInfo", node_info(name, arena));
  }
  if (status.find("declaredFeatures") == nullptr) {
    status.set(arena, "declaredFeatures", declared_features(arena));
  }
  if (!node.images.empty()) status.set(arena, "images", images_of(node, arena));
  return status;
}

Value node_lease(std::string_view name, std::string_view uid, Time now, json::Arena& arena) {
  Value owners = Value::array(arena);
  owners.push_back(
      arena, texts({{"apiVersion", "v1"}, {"kind", "Node"}, {"name", name}, {"uid", uid}}, arena));
  Value metadata = texts({{"name", name}, {"namespace", kLeaseNamespace}}, arena);
  metadata.append(arena, "ownerReferences", owners);
  Value spec = texts({{"holderIdentity", name}, {"renewTime", format_rfc3339_micro(now)}}, arena);
  spec.append(arena, "leaseDurationSeconds", Value::integer(40));
  Value lease = Value::object(arena);
  lease.append(arena, "metadata", metadata);
  lease.append(arena, "spec", spec);
  return lease;
}

}  // namespace tabernetes::controllers::kubelet

#include "controllers/scheduler/node_info.h"

#include <algorithm>

#include "json/access.h"

namespace tabernetes::controllers::scheduling {

using json::Value;

std::string NodeFacts::zone() const {
  const auto label = [&](std::string_view key, std::string_view old) {
    const auto value = labels.find(key);
    return std::string(value ? *value : labels.find(old).value_or(""));
  };
  const std::string region =
      label("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region");
  const std::string zone =
      label("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone");
  return region.empty() && zone.empty() ? std::string() : region + '\n' + zone;
}

NodeFacts read_node(const Value& node) {
  NodeFacts facts;
  facts.name = json::text_at(node, {"metadata", "name"});
  facts.labels = LabelSet(node.at({"metadata", "labels"}));
  if (const Value* spec = json::object_in(node, "spec")) {
    facts.taints = read_taints(*spec);
    facts.unschedulable = json::bool_at(*spec, {"unschedulable"});
  }
  const Value* allocatable = node.at({"status", "allocatable"});
  add_resource_list(facts.allocatable, allocatable);
  if (allocatable != nullptr && allocatable->is_object()) {
    facts.allowed_pods = read_quantity(json::scalar_text(allocatable->find("pods")));
  }
  for (const Value& image : json::items_at(node, {"status", "images"})) {
    const std::int64_t size =
        std::clamp(json::number_at(image, {"sizeBytes"}), std::int64_t{0}, kMostAmount);
    for (const Value& name : json::items_in(image, "names")) {
      facts.images[std::string(json::text_of(name))] = size;
    }
  }
  return facts;
}

void NodeInfo::add(const PodPtr& pod) {
  pods.push_back(pod);
  sum(*pod, 1);
  ports.insert(ports.end(), pod->ports.begin(), pod->ports.end());
}

void NodeInfo::remove(const PodInfo& pod) {
  const auto place = std::find_if(pods.begin(), pods.end(),
                                  [&](const PodPtr& one) { return one->uid == pod.uid; });
  if (place == pods.end()) return;
  const PodPtr removed = *place;
  pods.erase(place);
  sum(*removed, -1);
  if (removed->ports.empty()) return;
  ports.clear();
  for (const PodPtr& one : pods) ports.insert(ports.end(), one->ports.begin(), one->ports.end());
}

bool NodeInfo::conflicts(const std::vector<HostPort>& wanted) const {
  return std::any_of(wanted.begin(), wanted.end(), [&](const HostPort& port) {
    return std::any_of(ports.begin(), ports.end(),
                       [&](const HostPort& used) { return port.conflicts(used); });
  });
}

void NodeInfo::sum(const PodInfo& pod, std::int64_t sign) {
  requested.add(pod.requests.amounts, sign);
  nonzero_milli_cpu += sign * pod.requests.nonzero_milli_cpu;
  nonzero_memory += sign * pod.requests.nonzero_memory;
}

}  // namespace tabernetes::controllers::scheduling

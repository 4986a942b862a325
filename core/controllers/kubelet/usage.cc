#include "controllers/kubelet/usage.h"

#include "controllers/kubelet/containers.h"
#include "json/access.h"

namespace tabernetes::controllers::kubelet {

std::vector<ContainerUsage> usage_of_pod(const json::Value& pod, const BehaviourRules& rules,
                                         Time now) {
  std::vector<ContainerUsage> running;
  if (text_at(pod, {"spec", "nodeName"}).empty()) return running;
  for (const Container& container : read_containers(pod)) {
    if (!container.running()) continue;
    const Duration ran = now - container.started;
    running.push_back({container.name, container.started, rules.usage_of(pod, container, ran)});
    running.back().usage.after = ran;
  }
  return running;
}

UsagePoint sum_of(const std::vector<ContainerUsage>& containers) {
  UsagePoint sum;
  for (const ContainerUsage& container : containers) {
    sum.cpu += container.usage.cpu;
    sum.memory += container.usage.memory;
    if (sum.after < container.usage.after) sum.after = container.usage.after;
  }
  return sum;
}

}  // namespace tabernetes::controllers::kubelet

#include "server/cluster/loop_services.h"

#include "controllers/kubelet/usage.h"

namespace tabernetes::server {
namespace {

// As metrics.k8s.io says: see list/resource_metrics.
constexpr Duration kWindow = Duration::from_seconds(15);

}  // namespace

std::optional<controllers::PodUsage::Sample> LoopServices::usage_of(const json::Value& pod,
                                                                    Time now) const {
  const auto used = controllers::kubelet::usage_of_pod(pod, *behaviour_, now);
  if (used.empty()) return std::nullopt;
  Sample sample{.time = now, .window = kWindow, .containers = {}};
  for (const controllers::kubelet::ContainerUsage& one : used) {
    sample.containers.push_back(
        {std::string(one.name), (one.usage.cpu + 999'999) / 1'000'000, one.usage.memory});
  }
  return sample;
}

}  // namespace tabernetes::server

// The ConfigMaps and Secrets that a pod cannot start without.
#pragma once

#include <optional>
#include <string>

#include "json/value.h"
#include "registry/kind/strategy.h"

namespace tabernetes::controllers::kubelet {

// Returns why the first volume that cannot be mounted cannot: the message of FailedMount.
std::optional<std::string> mount_fault(const json::Value& pod,
                                       const registry::ObjectReader& objects, json::Arena& arena);

// Returns why the environment of a container cannot be made: `configmap "app" not found`.
std::optional<std::string> environment_fault(const json::Value& pod, const json::Value& container,
                                             const registry::ObjectReader& objects,
                                             json::Arena& arena);

}  // namespace tabernetes::controllers::kubelet

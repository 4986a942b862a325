// What a kubelet reports of its node. Source: upstream 1.36 pkg/kubelet/nodestatus/setters.go,
// pkg/kubelet/nodelease.
#pragma once

#include <string>
#include <string_view>

#include "controllers/kubelet/node.h"
#include "json/value.h"
#include "tabernetes/time.h"

namespace tabernetes::controllers::kubelet {

// Between two renewals of the lease, and between two reports of an unchanged status.
inline constexpr Duration kLeaseRenewal = Duration::from_seconds(10);
inline constexpr Duration kStatusReport = Duration::from_seconds(300);
inline constexpr std::string_view kLeaseNamespace = "kube-node-lease";

// Completes what a kubelet registers: labels and annotations of `node`. Returns true if something
// was missing.
bool complete_metadata(json::Value& node, json::Arena& arena);

// Returns the status to report; `reported` is the Node as it is. What its owner gave in the status,
// such as a capacity, stays.
json::Value node_status(const json::Value& reported, const Node& node, Time now,
                        json::Arena& arena);

// Returns the lease of a node; `uid` is the Node's.
json::Value node_lease(std::string_view name, std::string_view uid, Time now, json::Arena& arena);

}  // namespace tabernetes::controllers::kubelet

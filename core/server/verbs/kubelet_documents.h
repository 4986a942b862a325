// What a kubelet says of its node over HTTP, reached through the node's proxy: /stats/summary and
// /metrics/resource. Source: upstream 1.36 staging/src/k8s.io/kubelet pkg/apis/stats/v1alpha1,
// pkg/kubelet/metrics/collectors/resource_metrics.go.
#pragma once

#include <optional>
#include <string_view>

#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Returns the answer of a simulated node; nullopt for other nodes and other paths.
std::optional<Response> answer_for_kubelet(RequestContext& call, std::string_view node_name);

}  // namespace tabernetes::server

// Answers for the log of a simulated container, as its kubelet does. Source: upstream 1.36
// pkg/kubelet/kuberuntime/logs, pkg/registry/core/pod/rest/log.go.
#pragma once

#include <string>

#include "base/api/result.h"
#include "server/cluster/cluster.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// REQUIRES: the options of the log were checked. Errors: 400 if the container has no log.
Result<Response> answer_log(RequestContext& call, Cluster& cluster, const json::Value& pod,
                            const std::string& container);

// Returns the spec of a container of a pod; null if it has none of the name.
const json::Value* container_spec(const json::Value& pod, std::string_view name);

}  // namespace tabernetes::server

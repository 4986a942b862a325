// Requests that the server passes on to a port of a simulated pod. Source: upstream 1.36
// apimachinery/pkg/util/proxy.
#pragma once

#include <cstdint>

#include "base/api/result.h"
#include "server/cluster/cluster.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// REQUIRES: the target has `/proxy` behind the object's name. Errors: 503 if nobody listens.
Result<Response> answer_proxy(RequestContext& call, Cluster& cluster, const json::Value& pod,
                              std::int64_t port);

}  // namespace tabernetes::server

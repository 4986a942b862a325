// Answers for exec and attach in a simulated container, over SPDY (v4 to v1 of the protocol) and
// over WebSocket (v5, v4 and the first of channels). Source: upstream 1.36
// apiserver/pkg/util/proxy/{websocket,streamtranslator}.go, k8s.io/streaming pkg/httpstream.
#pragma once

#include <string>

#include "base/api/result.h"
#include "server/cluster/cluster.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// REQUIRES: the request was admitted. `what`: "exec" or "attach". Errors: 400 if the request opens
// no connection.
Result<Response> answer_exec(RequestContext& call, Cluster& cluster, const json::Value& pod,
                             std::string_view what, const std::string& container);

}  // namespace tabernetes::server

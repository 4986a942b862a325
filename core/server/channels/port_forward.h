// Answers for port forwarding to a simulated pod: over SPDY, over SPDY in a WebSocket (kubectl
// since 1.31), and over a WebSocket with two channels a port (browsers). Source: upstream 1.36
// client-go/tools/portforward, apiserver/pkg/util/proxy/streamtunnel.go, kubelet
// pkg/cri/streaming/portforward.
#pragma once

#include "base/api/result.h"
#include "server/cluster/cluster.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// REQUIRES: the request was admitted. Errors: 400 if the request opens no connection.
Result<Response> answer_port_forward(RequestContext& call, Cluster& cluster,
                                     const json::Value& pod);

}  // namespace tabernetes::server

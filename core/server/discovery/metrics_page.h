// /metrics and /metrics/slis, with kube-apiserver's names, for dashboards. Source: spec/rest.md
// 1.10; upstream 1.36: apiserver/pkg/endpoints/metrics/metrics.go.
#pragma once

#include <string_view>

#include "server/cluster/cluster.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Answers GET of either path; DELETE of /metrics resets the counts. Only the writer can count open
// watches: if `cluster` is null, the call needs the writer.
Response answer_metrics(RequestContext& call, std::string_view path, Cluster* cluster);

}  // namespace tabernetes::server

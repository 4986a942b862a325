// /metrics and /metrics/slis: what dashboards read of a cluster, under kube-apiserver's names.
// Source: spec/rest.md 1.10; upstream 1.36: apiserver/pkg/endpoints/metrics/metrics.go.
#pragma once

#include <string_view>

#include "server/cluster/cluster.h"
#include "server/request/call.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// GET of either; DELETE of /metrics begins to count anew. Open watches are the writer's to count:
// without it (null) the call needs it.
Response answer_metrics(Call& call, std::string_view path, const Cluster* cluster);

}  // namespace tabernetes::server

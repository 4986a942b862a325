// What /metrics tells of the limits on requests in flight. Source: upstream 1.36
// apiserver/pkg/util/flowcontrol/metrics/metrics.go, apiserver/pkg/endpoints/metrics/metrics.go.
#pragma once

#include "server/http/prometheus_text.h"
#include "server/limits/request_limits.h"

namespace tabernetes::server {

void write_limits(PrometheusText& page, RequestLimits& limits, Time now);

}  // namespace tabernetes::server

// NodeMetrics and PodMetrics of metrics.k8s.io, which are computed: what running pods use. Source:
// upstream metrics-server 0.8 pkg/api.
#pragma once

#include "server/list/list_page.h"
#include "server/request/object_selector.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

bool is_resource_metrics(const RequestContext& call);
ListPage list_resource_metrics(const RequestContext& call, const ObjectSelector& selector);
// Errors: 404.
Result<store::RecordPtr> get_resource_metrics(const RequestContext& call);

}  // namespace tabernetes::server

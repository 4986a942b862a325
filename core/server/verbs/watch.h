// Watches: streams of the changes to a collection. Source: spec/list-watch.md 4.
#pragma once

#include "base/api/result.h"
#include "server/cluster/cluster.h"
#include "server/list/list.h"
#include "server/request/options.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Opens the watch: an answer with a streaming body. Errors: 400, 406, 500 (bad version); a version
// that is too old is reported in the stream.
Result<Response> open_watch(RequestContext& call, Cluster& cluster, const ListOptions& options,
                            ObjectSelector selector);

}  // namespace tabernetes::server

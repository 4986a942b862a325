// The options of a connection, such as PodExecOptions: the object that admission sees.
#pragma once

#include "json/value.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// Reads the options from the query; those of a proxy contain the path after `proxy`. REQUIRES: the
// call addresses a subresource that connects.
json::Value connect_options(RequestContext& call);

}  // namespace tabernetes::server

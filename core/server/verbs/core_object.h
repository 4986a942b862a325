// Reads objects of core/v1 that a verb needs besides its own.
#pragma once

#include <string_view>

#include "base/api/result.h"
#include "json/value.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// Returns the object `name` of the resource `plural` of core/v1; `ns` is empty for a cluster-scoped
// one. It lives as long as the call. Errors: 404.
Result<json::Value> read_core_object(RequestContext& call, std::string_view plural,
                                     std::string_view ns, std::string_view name);

}  // namespace tabernetes::server

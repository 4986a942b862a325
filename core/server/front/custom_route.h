// Determines the verb of a request for a custom resource.
#pragma once

#include <string_view>

#include "base/api/result.h"
#include "server/http/request_info.h"
#include "server/request/request_context.h"

namespace tabernetes::server {

// REQUIRES: call.type is custom. Adds the warning of a deprecated version. Errors: 404, 405; 500 if
// conversion is impossible; 404 with empty details if nothing of that kind is served there, as if
// the group did not exist.
Result<std::string_view> custom_verb(RequestContext& call, const ResourcePath& path);

}  // namespace tabernetes::server

// Which verb a request for a custom resource is.
#pragma once

#include <string_view>

#include "base/result.h"
#include "server/http/request_info.h"
#include "server/request/call.h"

namespace tabernetes::server {

// REQUIRES: call.type is custom. Adds the warning of a deprecated version. Errors: 404, 405; 500 if
// nothing can be converted; 404 with empty details: nothing of that kind is served there, as if
// there was no such group.
Result<std::string_view> custom_verb(Call& call, const ResourcePath& path);

}  // namespace tabernetes::server

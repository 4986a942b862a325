// /statusz and /flagz: the server's status and flags, as text for people or as an object of
// config.k8s.io for programs. Source: upstream 1.36 component-base/zpages.
#pragma once

#include <string_view>

#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// REQUIRES: `path` is one of the two.
Response answer_zpage(RequestContext& call, std::string_view path);

}  // namespace tabernetes::server

// /statusz and /flagz: what the server says of itself, for people as text, for programs as an
// object of config.k8s.io. Source: upstream 1.36 component-base/zpages.
#pragma once

#include <string_view>

#include "server/request/call.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// `path` is one of the two.
Response answer_zpage(Call& call, std::string_view path);

}  // namespace tabernetes::server

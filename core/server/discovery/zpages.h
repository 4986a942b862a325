// Pages about the running server. /statusz and /flagz: its status and flags, as text for people or
// as an object of config.k8s.io for programs; /debug/pprof/: there are no profiles. Source:
// upstream 1.36 component-base/zpages; spec/rest.md 1.10.
#pragma once

#include <optional>
#include <string_view>

#include "server/http/text_answer.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// REQUIRES: `path` is /statusz or /flagz.
Response answer_zpage(RequestContext& call, std::string_view path);

// Returns the answer to a profile's path, decoded; nullopt if it is another path.
std::optional<TextResponse> answer_profile(std::string_view path);

}  // namespace tabernetes::server

// Paths that name no resource: discovery, OpenAPI, version, health, the index. Source: spec/rest.md
// 1.3, 1.7 to 1.10, 2, 3.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/discovery/discovery.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Returns whether the group is in discovery.
bool serves_group(const Groups& groups, std::string_view group);

// Returns whether it is in discovery and all its resources are custom.
bool is_custom_group(const Groups& groups, std::string_view name);

// `segments` are those of `path`. Unknown paths are answered with 404, as text or as Status.
Response answer_document(RequestContext& call, std::string_view path,
                         const std::vector<std::string>& segments);

}  // namespace tabernetes::server

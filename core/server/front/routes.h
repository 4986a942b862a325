// Maps a method on the path of a resource to the function that answers it.
#pragma once

#include <span>
#include <string_view>

#include "base/api/result.h"
#include "registry/kind/resource_type.h"
#include "server/cluster/cluster.h"
#include "server/http/request_info.h"
#include "server/request/request_context.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

using Reader = Result<Response> (*)(RequestContext&);
using Writer = Result<Response> (*)(RequestContext&, Cluster&);

// The handler of a method on a kind of path, and the verb that the resource must support.
struct MethodRoute {
  std::string_view method, verb;
  Reader read = nullptr;
  // Needs the writer. Beside `read`: answers while webhooks are configured.
  Writer write = nullptr;
};

// Returns the methods of a path of `type`, or none if there is no such path. REQUIRES: `type` is
// built in.
std::span<const MethodRoute> find_routes(const ResourcePath& path,
                                         const registry::ResourceType& type);

// Returns the route of a verb on custom resources, or null if they have none.
const MethodRoute* find_custom_route(std::string_view verb);

// Returns true if the method and path alone show that only the writer can answer `request`: a write
// or a watch. Returns false if they do not show it.
bool needs_writer(const registry::ResourceTable& resources, const Request& request);

// Returns true if the answer to `request` depends on the newest objects that are stored: it does
// not name a version of them.
bool asks_for_newest(const registry::ResourceTable& resources, const Request& request);

}  // namespace tabernetes::server

// Which function answers a method on the path of a resource.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"
#include "registry/resource_type.h"
#include "server/cluster/cluster.h"
#include "server/http/request_info.h"
#include "server/request/call.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

using Reader = Result<Response> (*)(Call&);
using Writer = Result<Response> (*)(Call&, Cluster&);

// What a method does on a path of one kind, and the verb that the resource must have for it.
struct MethodRoute {
  std::string_view method, verb;
  Reader read = nullptr;
  Writer write = nullptr;  // in its place: needs the writer
};

// Returns the methods of a path of `type`, a built-in one; none if there is no such path.
std::span<const MethodRoute> find_routes(const ResourcePath& path,
                                         const registry::ResourceType& type);

// Returns the route of a verb on custom resources; null if they have none.
const MethodRoute* find_custom_route(std::string_view verb);

// Whether only the writer can answer `request`, as far as its method and path tell: writes and
// watches. False where a closer look is needed.
bool needs_writer(const registry::ResourceTable& resources, const Request& request);

}  // namespace tabernetes::server

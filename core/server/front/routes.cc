#include "server/front/routes.h"

#include <algorithm>

#include "auth/reviews.h"
#include "server/http/query.h"
#include "server/verbs/verbs.h"

namespace tabernetes::server {
namespace {

using registry::ResourceType;
using Routes = std::span<const MethodRoute>;

constexpr MethodRoute kCollection[] = {
    {.method = "GET", .verb = "list", .read = &list},
    {.method = "POST", .verb = "create", .write = &create},
    {.method = "DELETE", .verb = "deletecollection", .write = &remove_collection},
};
constexpr MethodRoute kAllNamespaces[] = {{.method = "GET", .verb = "list", .read = &list}};
constexpr MethodRoute kItem[] = {
    {.method = "GET", .verb = "get", .read = &get},
    {.method = "PUT", .verb = "update", .write = &update},
    {.method = "PATCH", .verb = "patch", .write = &patch},
    {.method = "DELETE", .verb = "delete", .write = &remove},
};
// Subresources with part of their object.
constexpr MethodRoute kPart[] = {
    {.method = "GET", .verb = "get", .read = &get},
    {.method = "PUT", .verb = "update", .write = &update},
    {.method = "PATCH", .verb = "patch", .write = &patch},
};
constexpr MethodRoute kBinding[] = {{.method = "POST", .verb = "create", .write = &bind}};
constexpr MethodRoute kEviction[] = {{.method = "POST", .verb = "create", .write = &evict}};
constexpr MethodRoute kToken[] = {{.method = "POST", .verb = "create", .write = &request_token}};
constexpr MethodRoute kLog[] = {{.method = "GET", .verb = "get", .write = &log}};
constexpr MethodRoute kConnect[] = {
    {.method = "GET", .verb = "get", .write = &connect_to_pod},
    {.method = "POST", .verb = "create", .write = &connect_to_pod},
};
constexpr MethodRoute kProxy[] = {
    {.method = "GET", .verb = "get", .write = &proxy},
    {.method = "POST", .verb = "create", .write = &proxy},
    {.method = "PUT", .verb = "update", .write = &proxy},
    {.method = "PATCH", .verb = "patch", .write = &proxy},
    {.method = "DELETE", .verb = "delete", .write = &proxy},
    {.method = "HEAD", .verb = "get", .write = &proxy},
    {.method = "OPTIONS", .verb = "get", .write = &proxy},
};
constexpr MethodRoute kReviews[] = {
    {.method = "POST", .verb = "create", .read = &review, .write = &admit_review}};
constexpr MethodRoute kWatch[] = {{.method = "GET", .verb = "watch", .write = &watch}};

// Returns the routes of a subresource, or none if it is not supported.
Routes subresource_routes(std::string_view name) {
  struct Row {
    std::string_view name;
    Routes routes;
  };
  static constexpr Row kRows[] = {
      {"status", kPart},         {"scale", kPart},
      {"finalize", kPart},       {"ephemeralcontainers", kPart},
      {"resize", kPart},         {"approval", kPart},
      {"binding", kBinding},     {"eviction", kEviction},
      {"token", kToken},         {"log", kLog},
      {"exec", kConnect},        {"attach", kConnect},
      {"portforward", kConnect}, {"proxy", kProxy},
  };
  for (const Row& row : kRows) {
    if (row.name == name) return row.routes;
  }
  return {};
}

Routes watch_routes(const ResourcePath& path, const schema::Resource& resource) {
  const bool everywhere = resource.namespaced && path.ns.empty();
  if (!path.subresource.empty() || !resource.has_verb("watch")) return {};
  if (!path.name.empty() && everywhere) return {};
  return kWatch;
}

Routes collection_routes(const ResourcePath& path, const ResourceType& type) {
  const bool listed = type.resource->has_verb("list");
  if (type.resource->namespaced && path.ns.empty())
    return listed ? Routes(kAllNamespaces) : Routes();
  if (listed) return kCollection;
  // Resources that can only be created are not objects: reviews and bindings.
  return auth::is_review(type) ? Routes(kReviews) : Routes(kBinding);
}

bool watches(const ResourcePath& path, std::string_view query) {
  if (path.watch_prefix) return true;
  return path.name.empty() && Query::parse(query).boolean("watch").value_or(false);
}

}  // namespace

std::span<const MethodRoute> find_routes(const ResourcePath& path, const ResourceType& type) {
  const schema::Resource& resource = *type.resource;
  // Segments after `proxy` belong to the proxied path.
  if (path.too_long && path.subresource != "proxy") return {};
  if (path.in_namespace && !resource.namespaced) return {};
  if (path.watch_prefix) return watch_routes(path, resource);
  if (path.name.empty()) return collection_routes(path, type);
  if (resource.namespaced && path.ns.empty()) return {};
  if (path.subresource.empty()) return resource.has_verb("get") ? Routes(kItem) : Routes();
  if (resource.find_subresource(path.subresource) == nullptr) return {};
  return subresource_routes(path.subresource);
}

const MethodRoute* find_custom_route(std::string_view verb) {
  for (const Routes routes : {Routes(kCollection), Routes(kItem), Routes(kWatch)}) {
    for (const MethodRoute& route : routes) {
      if (route.verb == verb) return &route;
    }
  }
  return nullptr;
}

bool needs_writer(const registry::ResourceTable& resources, const Request& request) {
  const std::string_view target = request.target;
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reads && target.find("watch") == std::string_view::npos) return false;
  const std::size_t mark = std::min(target.find('?'), target.size());
  const auto path = find_resource_path(path_segments(target.substr(0, mark)));
  if (!path) return false;
  const ResourceType* type = resources.find(path->group, path->version, path->resource);
  if (type == nullptr) return false;
  if (reads) return watches(*path, target.substr(std::min(mark + 1, target.size())));
  if (!type->built_in()) return request.method != "OPTIONS";
  for (const MethodRoute& route : find_routes(*path, *type)) {
    if (route.method == request.method) return route.read == nullptr;
  }
  return false;
}

bool asks_for_newest(const registry::ResourceTable& resources, const Request& request) {
  const std::string_view target = request.target;
  const std::size_t mark = std::min(target.find('?'), target.size());
  const auto path = find_resource_path(path_segments(target.substr(0, mark)));
  if (!path) return false;
  const ResourceType* type = resources.find(path->group, path->version, path->resource);
  // Reviews are answered from what is known, as upstream's are.
  if (type == nullptr || !type->resource->has_verb("list")) return false;
  if (request.method != "GET" && request.method != "HEAD") return true;
  const Query query = Query::parse(target.substr(std::min(mark + 1, target.size())));
  return query.get("resourceVersion").empty() && query.get("continue").empty();
}

}  // namespace tabernetes::server

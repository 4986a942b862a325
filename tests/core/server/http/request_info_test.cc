#include "server/http/request_info.h"

#include <catch2/catch_test_macros.hpp>

namespace tabernetes::server {
namespace {

TEST_CASE("request info: paths are decoded, then split", "[server]") {
  struct Case {
    std::string_view path;
    std::vector<std::string> segments;
  };
  const Case cases[] = {
      {"/", {}},
      {"/api/v1/pods", {"api", "v1", "pods"}},
      {"/api/v1/pods/", {"api", "v1", "pods"}},
      {"/api/v1//pods", {"api", "v1", "", "pods"}},
      {"/api/v1/namespaces/d/pods/a%2Fb", {"api", "v1", "namespaces", "d", "pods", "a", "b"}},
      {"/api/v1/namespaces/d/pods/a%25b", {"api", "v1", "namespaces", "d", "pods", "a%b"}},
      {"/a%zz%4", {"a%zz%4"}},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.path) { CHECK(path_segments(c.path) == c.segments); }
  }
}

TEST_CASE("request info: what a resource path names", "[server]") {
  struct Case {
    std::string_view path;
    std::string group, version, ns, resource, name, subresource;
    bool in_namespace = false, watch = false, too_long = false;
  };
  const Case cases[] = {
      {.path = "/api/v1/pods", .version = "v1", .resource = "pods"},
      {.path = "/api/v1/namespaces", .version = "v1", .resource = "namespaces"},
      {.path = "/api/v1/namespaces/x", .version = "v1", .resource = "namespaces", .name = "x"},
      {.path = "/api/v1/namespaces/x/status",
       .version = "v1",
       .resource = "namespaces",
       .name = "x",
       .subresource = "status"},
      {.path = "/api/v1/namespaces/x/finalize",
       .version = "v1",
       .resource = "namespaces",
       .name = "x",
       .subresource = "finalize"},
      {.path = "/api/v1/namespaces/x/pods",
       .version = "v1",
       .ns = "x",
       .resource = "pods",
       .in_namespace = true},
      {.path = "/api/v1/namespaces//pods",
       .version = "v1",
       .resource = "pods",
       .in_namespace = true},
      {.path = "/apis/apps/v1/namespaces/x/deployments/d/scale",
       .group = "apps",
       .version = "v1",
       .ns = "x",
       .resource = "deployments",
       .name = "d",
       .subresource = "scale",
       .in_namespace = true},
      {.path = "/apis/apps/v1/watch/namespaces/x/deployments/d",
       .group = "apps",
       .version = "v1",
       .ns = "x",
       .resource = "deployments",
       .name = "d",
       .in_namespace = true,
       .watch = true},
      {.path = "/api/v1/nodes/n/proxy/a",
       .version = "v1",
       .resource = "nodes",
       .name = "n",
       .subresource = "proxy",
       .too_long = true},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.path) {
      const ResourcePath path = parse_resource_path(path_segments(c.path));
      CHECK(path.group == c.group);
      CHECK(path.version == c.version);
      CHECK(path.ns == c.ns);
      CHECK(path.resource == c.resource);
      CHECK(path.name == c.name);
      CHECK(path.subresource == c.subresource);
      CHECK(path.in_namespace == c.in_namespace);
      CHECK(path.watch_prefix == c.watch);
      CHECK(path.too_long == c.too_long);
    }
  }
}

}  // namespace
}  // namespace tabernetes::server

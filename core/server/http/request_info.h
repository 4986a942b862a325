// The resource and verb of a request, parsed from its path and method. Rules: spec/rest.md 1.2 to
// 1.4.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::server {

// A path under /api/VERSION/ or /apis/GROUP/VERSION/ in parts; everything percent-decoded.
struct ResourcePath {
  std::string group, version;
  bool watch_prefix = false;  // /api/v1/watch/...
  bool in_namespace = false;  // .../namespaces/NS/...; `ns` may be empty (all namespaces)
  std::string ns;
  std::string resource, name, subresource;
  bool too_long = false;  // segments after the subresource
};

// Splits a path at slashes; leading and trailing slashes are ignored, empty inner segments kept.
std::vector<std::string> path_segments(std::string_view path);

// REQUIRES: segments begin with api/VERSION or apis/GROUP/VERSION and at least one more.
ResourcePath parse_resource_path(const std::vector<std::string>& segments);

// Returns the resource named by a path, or nullopt if it names none.
std::optional<ResourcePath> find_resource_path(const std::vector<std::string>& segments);

}  // namespace tabernetes::server

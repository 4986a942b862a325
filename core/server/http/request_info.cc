#include "server/http/request_info.h"

#include "server/http/query.h"

namespace tabernetes::server {

std::vector<std::string> path_segments(std::string_view path) {
  // The path is decoded before it is split: an escaped slash is a slash.
  const std::string decoded = percent_decode(path, PlusSign::kLiteral);
  std::string_view rest = decoded;
  while (!rest.empty() && rest.front() == '/') rest.remove_prefix(1);
  while (!rest.empty() && rest.back() == '/') rest.remove_suffix(1);
  std::vector<std::string> segments;
  while (!rest.empty()) {
    const std::size_t slash = rest.find('/');
    segments.emplace_back(rest.substr(0, slash));
    if (slash == std::string_view::npos) break;
    rest.remove_prefix(slash + 1);
  }
  return segments;
}

ResourcePath parse_resource_path(const std::vector<std::string>& segments) {
  ResourcePath path;
  std::size_t at = 1;
  if (segments[0] == "apis") path.group = segments[at++];
  path.version = segments[at++];
  auto left = [&] { return segments.size() - at; };

  if (segments[at] == "watch") {
    path.watch_prefix = true;
    ++at;
  }
  if (left() >= 2 && segments[at] == "namespaces") {
    const bool of_namespace_itself =
        left() == 2 || segments[at + 2] == "status" || segments[at + 2] == "finalize";
    if (!of_namespace_itself) {
      path.in_namespace = true;
      path.ns = segments[at + 1];
      at += 2;
    }
  }
  if (left() > 0) path.resource = segments[at++];
  if (left() > 0) path.name = segments[at++];
  if (left() > 0) path.subresource = segments[at++];
  path.too_long = left() > 0;
  return path;
}

std::optional<ResourcePath> find_resource_path(const std::vector<std::string>& segments) {
  if (segments.empty() || (segments[0] != "api" && segments[0] != "apis")) return std::nullopt;
  const std::size_t after_version = segments[0] == "api" ? 2 : 3;
  if (segments.size() <= after_version) return std::nullopt;
  return parse_resource_path(segments);
}

}  // namespace tabernetes::server

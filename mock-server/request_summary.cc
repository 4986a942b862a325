#include "request_summary.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace tabernetes::host {
namespace {

using Parts = std::span<const std::string_view>;

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) parts.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return parts;
}

struct ResourcePart {
  std::string_view group, resource, subresource;
  bool named = false;
};

// The parts behind namespaces/NAME, where they are of something else.
Parts behind_namespace(Parts parts) {
  static constexpr std::array<std::string_view, 2> kOwn = {"status", "finalize"};
  if (parts.size() < 3 || parts[0] != "namespaces") return parts;
  const bool own = std::find(kOwn.begin(), kOwn.end(), parts[2]) != kOwn.end();
  return own ? parts : parts.subspan(2);
}

ResourcePart resource_part(Parts parts) {
  ResourcePart result;
  const bool core = parts.size() > 2 && parts[0] == "api";
  const bool grouped = parts.size() > 3 && parts[0] == "apis";
  if (!core && !grouped) return result;
  if (grouped) result.group = parts[1];
  parts = parts.subspan(core ? 2 : 3);
  if (parts[0] == "watch" && parts.size() > 1) parts = parts.subspan(1);
  parts = behind_namespace(parts);
  result.resource = parts[0];
  result.named = parts.size() > 1;
  if (parts.size() > 2) result.subresource = parts[2];
  return result;
}

// Whether the query has `watch` with a value that Kubernetes takes for true.
bool asks_to_watch(std::string_view query) {
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view item = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (item == "watch") return true;
    if (item.starts_with("watch=")) return item != "watch=0" && item != "watch=false";
  }
  return false;
}

std::string verb_of(std::string_view method, std::string_view query, std::string_view content_type,
                    const ResourcePart& part) {
  static constexpr std::array<std::string_view, 5> kConnections = {"attach", "exec", "log",
                                                                   "portforward", "proxy"};
  if (std::find(kConnections.begin(), kConnections.end(), part.subresource) != kConnections.end()) {
    return "CONNECT";
  }
  if (method == "GET" && asks_to_watch(query)) return "WATCH";
  if (method == "GET" || method == "HEAD") {
    return part.resource.empty() || part.named ? "GET" : "LIST";
  }
  if (method == "PATCH" && content_type == "application/apply-patch+yaml") return "APPLY";
  return std::string(method);
}

}  // namespace

RequestSummary summarize(std::string_view method, std::string_view target,
                         std::string_view content_type) {
  const std::size_t question = std::min(target.find('?'), target.size());
  const std::string_view query = target.substr(std::min(question + 1, target.size()));
  const std::vector<std::string_view> parts = split(target.substr(0, question));
  const ResourcePart part = resource_part(parts);

  RequestSummary summary{verb_of(method, query, content_type, part), std::string(part.resource)};
  if (!part.group.empty() && !part.resource.empty())
    summary.resource += '.' + std::string(part.group);
  if (!part.subresource.empty()) summary.resource += '/' + std::string(part.subresource);
  return summary;
}

}  // namespace tabernetes::host

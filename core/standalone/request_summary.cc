#include <algorithm>
#include <array>

#include "server/http/query.h"
#include "server/http/request_info.h"
#include "tabernetes/http.h"

namespace tabernetes {
namespace {

constexpr std::array<std::string_view, 5> kConnections = {"attach", "exec", "log", "portforward",
                                                          "proxy"};

server::ResourcePath resource_path(std::string_view path) {
  const std::vector<std::string> segments = server::path_segments(path);
  const bool is_core = segments.size() > 2 && segments[0] == "api";
  const bool is_grouped = segments.size() > 3 && segments[0] == "apis";
  return is_core || is_grouped ? server::parse_resource_path(segments) : server::ResourcePath();
}

}  // namespace

RequestSummary summarize_request(std::string_view method, std::string_view target,
                                 std::string_view content_type) {
  const std::size_t question = std::min(target.find('?'), target.size());
  const server::ResourcePath path = resource_path(target.substr(0, question));
  const auto verb = [&]() -> std::string {
    const auto* const end = kConnections.end();
    if (std::find(kConnections.begin(), end, path.subresource) != end) return "CONNECT";
    const std::string_view query = target.substr(std::min(question + 1, target.size()));
    if (method == "GET" && server::Query::parse(query).boolean("watch").value_or(false)) {
      return "WATCH";
    }
    if (method == "GET" || method == "HEAD") {
      return path.resource.empty() || !path.name.empty() ? "GET" : "LIST";
    }
    if (method == "PATCH" && content_type == "application/apply-patch+yaml") return "APPLY";
    return std::string(method);
  };

  RequestSummary summary{verb(), path.resource};
  if (!path.group.empty() && !path.resource.empty()) summary.resource += '.' + path.group;
  if (!path.subresource.empty()) summary.resource += '/' + path.subresource;
  return summary;
}

}  // namespace tabernetes

#include "server/http/cors.h"

#include <algorithm>

#include "tabernetes/options.h"

namespace tabernetes {

// Upstream 1.36: apiserver/pkg/server/options/server_run_options.go, validateCorsAllowedOriginList.
Expected<void> check_cors_origin(std::string_view pattern) {
  if (pattern.empty()) return Fault{"an empty origin"};
  if (const auto compiled = Pattern::compile(pattern); !compiled) {
    return Fault{compiled.error()};
  }
  const auto has = [pattern](std::string_view part) {
    return pattern.find(part) != std::string_view::npos;
  };
  if ((has("^") || has("//")) && (has("$") || has(":"))) return {};
  return Fault{"regular expression does not pin to start/end of host in the origin header"};
}

bool cors_allows(const std::vector<std::string>& origins, std::string_view origin) {
  return server::CorsPolicy(origins).allows(origin);
}

namespace server {

CorsPolicy::CorsPolicy(const std::vector<std::string>& origins) {
  for (const std::string& origin : origins) {
    if (auto pattern = Pattern::compile(origin)) patterns_.push_back(std::move(*pattern));
  }
}

std::optional<Response> CorsPolicy::answer_preflight(const Request& request) const {
  if (request.method != "OPTIONS" || !allows(find_header(request.headers, "origin"))) {
    return std::nullopt;
  }
  Response response;
  response.status = 204;
  response.headers = {{"Cache-Control", "no-cache, private"}};
  return response;
}

void CorsPolicy::add_headers(const Request& request, Response& response) const {
  const std::string_view origin = find_header(request.headers, "origin");
  if (!allows(origin)) return;
  auto& headers = response.headers;
  headers.emplace_back("Access-Control-Allow-Origin", origin);
  headers.emplace_back("Access-Control-Allow-Methods", "POST, GET, OPTIONS, PUT, DELETE, PATCH");
  headers.emplace_back("Access-Control-Allow-Headers",
                       "Content-Type, Content-Length, Accept-Encoding, X-CSRF-Token, "
                       "Authorization, X-Requested-With, If-Modified-Since");
  headers.emplace_back("Access-Control-Expose-Headers", "Date");
  headers.emplace_back("Access-Control-Allow-Credentials", "true");
}

bool CorsPolicy::allows(std::string_view origin) const {
  return !origin.empty() &&
         std::any_of(patterns_.begin(), patterns_.end(),
                     [origin](const Pattern& pattern) { return pattern.matches(origin); });
}

}  // namespace server
}  // namespace tabernetes

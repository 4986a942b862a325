#include "host_check.h"

#include <arpa/inet.h>

#include <algorithm>

#include "lower_case.h"
#include "tabernetes/options.h"

namespace tabernetes::host {
namespace {

bool is_ipv4(const std::string& host) {
  in_addr address;
  return inet_pton(AF_INET, host.c_str(), &address) == 1;
}

bool is_ip(const std::string& host) {
  in6_addr address;
  return is_ipv4(host) || inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

bool is_loopback(const std::string& host) {
  return host == "localhost" || host.ends_with(".localhost") || host == "::1" ||
         (is_ipv4(host) && host.starts_with("127."));
}

bool matches(const std::string& host, std::string_view pattern) {
  if (pattern == "*") return true;
  if (pattern.starts_with("*.")) pattern.remove_prefix(1);
  if (pattern.starts_with('.')) return host.size() > pattern.size() && host.ends_with(pattern);
  return host == pattern;
}

bool is_wildcard(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

// Returns true for a loopback name, a --listen host and an allowed name.
bool is_named(const std::string& host, const HostPolicy& policy) {
  return is_loopback(host) ||
         std::any_of(policy.listening.begin(), policy.listening.end(),
                     [&](const std::string& own) {
                       return !is_wildcard(own) && host == lower_case(own);
                     }) ||
         std::any_of(policy.allowed.begin(), policy.allowed.end(),
                     [&](const std::string& name) { return matches(host, lower_case(name)); });
}

// Returns the host of "http://HOST[:PORT]" or "https://..."; empty for any other text.
std::string host_of_origin(std::string_view origin) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!origin.starts_with(scheme)) continue;
    const std::string_view authority = origin.substr(scheme.size());
    // Browsers send nothing after the authority.
    if (authority.find_first_of("/?#@\\") != std::string_view::npos) return {};
    return host_of_authority(authority);
  }
  return {};
}

// Returns true for a Content-Type that needs no preflight. A missing one needs none either.
bool is_form_type(std::string_view type) {
  std::string essence = lower_case(type.substr(0, type.find(';')));
  essence.erase(essence.find_last_not_of(" \t") + 1);
  return essence.empty() || essence == "text/plain" || essence == "multipart/form-data" ||
         essence == "application/x-www-form-urlencoded";
}

}  // namespace

std::string host_of_authority(std::string_view authority) {
  if (authority.starts_with('[')) {
    const std::size_t end = authority.find(']');
    if (end == std::string_view::npos) return {};
    return lower_case(authority.substr(1, end - 1));
  }
  std::string host = lower_case(authority.substr(0, authority.find(':')));
  if (host.ends_with('.')) host.pop_back();
  return host;
}

bool host_allowed(std::string_view authority, const HostPolicy& policy) {
  const std::string host = host_of_authority(authority);
  if (host.empty()) return false;
  const bool by_wildcard =
      std::any_of(policy.listening.begin(), policy.listening.end(), &is_wildcard) && is_ip(host);
  return by_wildcard || is_named(host, policy);
}

bool origin_allowed(std::string_view origin, std::string_view authority, const HostPolicy& policy) {
  if (std::find(policy.allowed.begin(), policy.allowed.end(), "*") != policy.allowed.end()) {
    return true;
  }
  const std::string host = host_of_origin(lower_case(origin));
  return !host.empty() && (host == host_of_authority(authority) || is_named(host, policy));
}

bool is_foreign_write(const Request& request, std::string_view authority, const HostPolicy& policy,
                      const std::vector<std::string>& cors_origins) {
  if (request.method != "POST" || !is_form_type(find_header(request.headers, "content-type"))) {
    return false;
  }
  const std::string_view site = find_header(request.headers, "sec-fetch-site");
  if (site == "same-origin" || site == "none") return false;
  const std::string_view origin = find_header(request.headers, "origin");
  if (origin.empty()) return !site.empty();
  const std::string_view forwarded = find_header(request.headers, "x-forwarded-host");
  return !origin_allowed(origin, authority, policy) &&
         (forwarded.empty() ||
          host_of_origin(lower_case(origin)) != host_of_authority(forwarded)) &&
         !cors_allows(cors_origins, origin);
}

}  // namespace tabernetes::host

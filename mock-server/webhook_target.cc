#include "webhook_target.h"

#include <algorithm>

namespace tabernetes::host {
namespace {

constexpr std::string_view kScheme = "https://", kHttpsPort = ":443";

bool is_label(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos;
}

bool is_service_name(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon != std::string_view::npos && !parse_listen_address(name)) return false;
  name = name.substr(0, colon);
  const std::size_t dot = name.find('.');
  return dot != std::string_view::npos && is_label(name.substr(0, dot)) &&
         is_label(name.substr(dot + 1));
}

// Parses "host", "host:port" or "[::1]" as an address to connect to.
std::optional<ListenAddress> address_of(std::string authority) {
  const std::size_t bracket = authority.find(']');
  if (authority.find(':', bracket == std::string::npos ? 0 : bracket) == std::string::npos) {
    authority += kHttpsPort;
  }
  return parse_listen_address(authority);
}

// Splits a URL that the core has already checked. An unexpected form yields a target with a fault.
WebhookTarget target_of(std::string_view url) {
  WebhookTarget target;
  const bool odd = std::any_of(url.begin(), url.end(), [](char c) { return c > 0 && c <= ' '; });
  if (url.starts_with(kScheme) && !odd) {
    url.remove_prefix(kScheme.size());
    const std::size_t slash = std::min(url.find('/'), url.size());
    target.authority = url.substr(0, slash);
    target.path = url.substr(slash);
    if (const auto address = address_of(target.authority)) {
      target.address = *address;
      target.server_name = address->host;
      return target;
    }
  }
  target.fault = "unsupported URL";
  return target;
}

bool serves(const WebhookService& service, std::string_view name) {
  return service.name == name || service.name == name.substr(0, name.find(':'));
}

}  // namespace

std::optional<WebhookService> parse_webhook_service(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const std::string_view name = text.substr(0, equals);
  const auto address = parse_listen_address(text.substr(equals + 1));
  if (!is_service_name(name) || !address) return std::nullopt;
  return WebhookService{std::string(name), *address};
}

WebhookTarget find_target(const WebhookCall& call, const std::vector<WebhookService>& services) {
  WebhookTarget target = target_of(call.url);
  if (!call.service || !target.fault.empty()) return target;
  const WebhookCall::Service& wanted = *call.service;
  const auto known = std::find_if(services.begin(), services.end(), [&](const auto& service) {
    return serves(service, wanted.name);
  });
  if (known != services.end()) {
    target.address = known->address;
  } else if (!wanted.address) {
    target.fault = wanted.address.fault().message;
  } else if (const auto address = parse_listen_address(*wanted.address)) {
    target.address = *address;
  } else {
    target.fault = "unsupported address " + *wanted.address;
  }
  return target;
}

}  // namespace tabernetes::host

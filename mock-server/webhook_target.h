// Decides where a webhook call connects to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "listen_address.h"
#include "tabernetes/http.h"

namespace tabernetes::host {

// A value of --webhook-service: the address of a service, since no node carries calls to it.
struct WebhookService {
  std::string name;  // "hook.default", or "hook.default:443" for this port only
  ListenAddress address;

  friend bool operator==(const WebhookService&, const WebhookService&) = default;
};

// Parses "NAME.NAMESPACE[:PORT]=HOST:PORT". Returns nullopt for any other text.
std::optional<WebhookService> parse_webhook_service(std::string_view text);

struct WebhookTarget {
  ListenAddress address;    // the address to connect to
  std::string server_name;  // the name or IP address that the certificate must have
  std::string authority;    // the value of the Host header
  std::string path;         // path and query
  std::string fault;        // the reason if there is no address; then all else is empty
};

// Returns the target of `call`. A service is looked up in `services`, then in the cluster's own
// answer.
WebhookTarget find_target(const WebhookCall& call, const std::vector<WebhookService>& services);

}  // namespace tabernetes::host

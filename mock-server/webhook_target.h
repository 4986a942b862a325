// Where the call of a webhook goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "listen_address.h"
#include "tabernetes/webhook.h"

namespace tabernetes::host {

// The value of --webhook-service: where a service is served that no node carries calls to.
struct WebhookService {
  std::string name;  // "hook.default", or "hook.default:443" for this port only
  ListenAddress address;

  friend bool operator==(const WebhookService&, const WebhookService&) = default;
};

// Reads "NAME.NAMESPACE[:PORT]=HOST:PORT"; nothing if it is something else.
std::optional<WebhookService> parse_webhook_service(std::string_view text);

struct WebhookTarget {
  ListenAddress address;    // to connect to
  std::string server_name;  // whose certificate is wanted: a name or an IP address
  std::string authority;    // for the header Host
  std::string path;         // with the query
  std::string fault;        // why it goes nowhere; then nothing else is there
};

// A service is where `services` say, else where the cluster says.
WebhookTarget find_target(const WebhookCall& call, const std::vector<WebhookService>& services);

}  // namespace tabernetes::host

// Where a webhook is called: the clientConfig of a definition or a webhook configuration, or the
// kubeconfig of an authorizer.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "json/value.h"

namespace tabernetes::registry {

struct WebhookClient {
  std::string url;                              // with a path, without a query
  std::string ca_bundle;                        // as in WebhookCall
  std::string service_name, service_namespace;  // empty if it has a URL of its own
  int service_port = 0;
  std::string client_certificate, client_key;  // as in WebhookCall, like the following
  std::string server_name;
  bool unverified = false;
  std::vector<std::pair<std::string, std::string>> headers;

  bool is_service() const { return !service_name.empty(); }
  // Returns the URL to call: the request tells the webhook how long it waits.
  std::string url_within(std::int64_t seconds) const {
    return url + "?timeout=" + std::to_string(seconds) + "s";
  }
};

// Reads a clientConfig; its caBundle may be invalid.
WebhookClient read_webhook_client(const json::Value& config);

}  // namespace tabernetes::registry

#include "registry/kind/webhook_client.h"

#include "base/text/base64.h"
#include "json/access.h"

namespace tabernetes::registry {

using json::Value;

WebhookClient read_webhook_client(const Value& config) {
  constexpr std::string_view kScheme = "https://";
  WebhookClient client;
  client.ca_bundle = base64_decode(config.string_at("caBundle")).value_or(std::string());
  client.url = config.string_at("url");
  if (const Value* service = config.find("service"); service != nullptr && service->is_object()) {
    client.service_name = service->string_at("name");
    client.service_namespace = service->string_at("namespace");
    client.service_port = static_cast<int>(number_at(*service, {"port"}));
    std::string_view path = service->string_at("path");
    if (path.starts_with('/')) path.remove_prefix(1);
    client.url = std::string(kScheme) + client.service_name + "." + client.service_namespace +
                 ".svc:" + std::to_string(client.service_port) + "/" + std::string(path);
  }
  if (client.url.find('/', kScheme.size()) == std::string::npos) client.url += '/';
  return client;
}

}  // namespace tabernetes::registry

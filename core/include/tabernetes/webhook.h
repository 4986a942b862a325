// A call that kube-apiserver would make to a webhook, and that the host makes in its place.
#pragma once

#include <cstdint>
#include <string>

namespace tabernetes {

// A POST of JSON, with the media type application/json.
struct WebhookCall {
  std::uint64_t id = 0;
  std::string url;  // "https://hook.default.svc:443/convert?timeout=30s"
  // PEM: who may have signed the server's certificate. Empty: whom the host trusts.
  std::string ca_bundle;
  std::string body;
  // Of a webhook that is a service: its name, "hook.default:443", and the host and port to which
  // kube-apiserver would turn, "localhost:443"; or why it could not. A host may know better.
  std::string service, address, fault;
};

struct WebhookAnswer {
  // Why nothing came back, such as "dial tcp 127.0.0.1:1: connect: connection refused"; empty:
  // something did. With a status: why the body broke off.
  std::string error;
  int status = 0;
  std::string body;
};

}  // namespace tabernetes

// Requests that the host sends on to servers behind the core, which are aggregated API servers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tabernetes/expected.h"
#include "tabernetes/http.h"
#include "tabernetes/time.h"

namespace tabernetes {

// A request that the host makes by HTTPS, with a client certificate by which the other server
// trusts the headers that name the user, if the host has one.
struct ProxyCall {
  std::uint64_t id = 0;
  std::string method;
  std::string url;  // "https://metrics.kube-system.svc:443/apis/metrics.k8s.io/v1beta1"
  Headers headers;  // without Host and Content-Length
  std::string body;
  // PEM: the certificate authorities to trust. Empty: those that the host trusts.
  std::string ca_bundle;
  bool insecure = false;  // any certificate will do
  // A host may use another address for it.
  WebhookCall::Service service = {{}, Fault{}};
  Duration patience;   // for the whole answer; 0: none
  bool whole = false;  // the answer is wanted as a whole
  // Headers by which the connection is to become one of another protocol, such as a WebSocket;
  // empty: it is not. A host that can do so sends them with the others, and answers 101 with
  // `more`: then the body is what the other side sends. See ApiServer::take_proxied_input().
  Headers upgrade = {};
};

// The answer, or its beginning.
struct ProxyAnswer {
  // Why there is none, such as "dial tcp 127.0.0.1:1: connect: connection refused".
  std::optional<Fault> fault;
  int status = 0;
  Headers headers;
  std::string body;
  bool more = false;  // the body goes on: see ApiServer::continue_proxy_answer()
};

// What a client has sent on a connection that became one of another protocol.
struct ProxiedInput {
  std::uint64_t id = 0;  // of the call
  std::string bytes;
};

// How a body goes on.
enum class ProxiedBody { kMore, kEnded, kBroken };

}  // namespace tabernetes

// How a client asks for a connection to a container: by SPDY/3.1, or by a WebSocket. Source:
// upstream 1.36 k8s.io/streaming pkg/httpstream (Handshake).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tabernetes/http.h"

namespace tabernetes::server {

bool is_spdy_request(const Request& request);

// The protocol that both sides know, or the answer of a server that knows none of the client's.
struct ChosenProtocol {
  std::string name;
  std::optional<Response> refusal;
};
ChosenProtocol choose_spdy_protocol(const Request& request,
                                    const std::vector<std::string_view>& known);

// Returns the answer that goes over to SPDY.
Response answer_spdy(const std::string& protocol, std::unique_ptr<Stream> stream);

// Returns the first subprotocol of the client for which `known` returns true; an empty text stands
// for a client that names none.
std::optional<std::string> choose_subprotocol(const Request& request,
                                              bool (*known)(std::string_view name));
// Returns the answer that opens a WebSocket.
Response answer_socket(const std::string& protocol, MessageType type,
                       std::unique_ptr<Stream> stream);

}  // namespace tabernetes::server

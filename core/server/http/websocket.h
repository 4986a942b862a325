// Watches over WebSocket: the handshake, and the messages made from events.
//
// The rules are those of kube-apiserver 1.36: `Upgrade` matters only for watches and after all
// other checks, so that errors are plain HTTP answers; it then requires a version, a key and an
// Origin, and at most one subprotocol, which is echoed whatever it is. A rejection has no headers.
// Sources: apiserver pkg/endpoints/handlers/watch.go (HandleWS), golang.org/x/net/websocket hybi.go
// and server.go, apiserver pkg/authentication/request/websocket/protocol.go; their answers were
// recorded by running them (x/net 0.49).
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/api/result.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Returns whether the client requests an upgrade to WebSocket.
bool is_websocket_request(const Request& request);

// Checks the bearer token in a subprotocol, the only way for browsers to send one; another
// subprotocol must accompany it. The token itself is not verified here. Errors: 401 if it is
// malformed, duplicated or alone.
Result<void> check_token_protocol(const Request& request);

// Returns the token among the subprotocols, or an empty text. REQUIRES: check_token_protocol()
// succeeded.
std::string token_of_protocol(const Request& request);

// Returns the subprotocols that the server may choose from.
std::vector<std::string_view> offered_protocols(const Request& request);

// Returns the answer to a handshake that is invalid, whatever is to be sent on the WebSocket.
std::optional<Response> refuse_handshake(const Request& request);

// Turns the answer of a watch into a WebSocket: status 101, or 400 or 403 for an invalid handshake.
// REQUIRES: is_websocket_request(request), watch.stream.
Response answer_websocket(const Request& request, Response watch);

}  // namespace tabernetes::server

// Watches over WebSocket: what the handshake asks for, and the messages that events become.
//
// The rules are those of kube-apiserver 1.36: `Upgrade` counts on watches alone and after every
// other check, so that errors are plain HTTP answers; it then needs a version, a key and an Origin,
// and names at most one subprotocol, which is echoed whatever it is. A refusal has no headers.
// Sources: apiserver pkg/endpoints/handlers/watch.go (HandleWS), golang.org/x/net/websocket hybi.go
// and server.go, apiserver pkg/authentication/request/websocket/protocol.go; their answers were
// recorded by running them (x/net 0.49).
#pragma once

#include "base/result.h"
#include "tabernetes/http.h"

namespace tabernetes::server {

// Whether the client wants to go on as a WebSocket.
bool is_websocket_request(const Request& request);

// Browsers can send a bearer token only as a subprotocol, beside another one. Whose it is does not
// matter, as with the header. Errors: 401 if it is malformed, doubled or alone.
Result<void> check_token_protocol(const Request& request);

// The token among the subprotocols; empty: none. REQUIRES: check_token_protocol() is content.
std::string token_of_protocol(const Request& request);

// The WebSocket that the answer of a watch becomes: status 101, or 400 or 403 if the handshake is
// not right. REQUIRES: is_websocket_request(request), watch.stream.
Response answer_websocket(const Request& request, Response watch);

}  // namespace tabernetes::server

// A stream of another protocol, such as SPDY, on the connection of an HTTP request that was
// answered with 101. The stream gets the client's bytes as they come; the client's close ends it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "http2_pipe.h"
#include "stream_reader.h"
#include "websocket_connection.h"
#include "wire.h"

namespace tabernetes::host {

// Sends `head` and the bytes of `stream` until either side closes. Calls `on_closed` once, with the
// number of bytes sent.
std::shared_ptr<WebSocketConnection> open_tunnel(std::shared_ptr<Wire> wire, std::string head,
                                                 std::shared_ptr<StreamReader> stream,
                                                 std::function<void(std::size_t bytes)> on_closed);

// The same on a stream of HTTP/2, whose request was answered already.
std::shared_ptr<WebSocketConnection> open_tunnel(std::shared_ptr<Http2Pipe> pipe,
                                                 std::shared_ptr<StreamReader> stream,
                                                 std::function<void(std::size_t bytes)> on_closed);

}  // namespace tabernetes::host

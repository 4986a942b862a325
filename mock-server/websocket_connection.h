// A stream over WebSocket: one message per slice, on the connection of an HTTP request that was
// answered with 101. The stream gets the client's messages; the client's close ends it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "http2_pipe.h"
#include "stream_reader.h"
#include "tabernetes/http.h"
#include "wire.h"

namespace tabernetes::host {

struct WebSocketHandshake {
  std::string key;       // Sec-WebSocket-Key of the request
  std::string protocol;  // the subprotocol that the core echoes; empty if none
};

// Lives on the thread of its socket.
class WebSocketConnection {
 public:
  virtual ~WebSocketConnection() = default;

  // Closes with 1001: the server is going away.
  virtual void shut_down() = 0;

  // Closes the connection now.
  virtual void close() = 0;

 protected:
  WebSocketConnection() = default;
  WebSocketConnection(const WebSocketConnection&) = delete;
  WebSocketConnection& operator=(const WebSocketConnection&) = delete;
};

// Answers 101 and sends the messages of `events` until either side closes. The end of the stream
// closes with 1000. Calls `on_closed` once, with the bytes of all messages sent.
std::shared_ptr<WebSocketConnection> open_websocket(
    std::shared_ptr<Wire> wire, const WebSocketHandshake& handshake, MessageType type,
    std::shared_ptr<StreamReader> events, std::function<void(std::size_t bytes)> on_closed);

// The same on a stream of HTTP/2, whose request was answered already.
std::shared_ptr<WebSocketConnection> open_websocket(
    std::shared_ptr<Http2Pipe> pipe, const WebSocketHandshake& handshake, MessageType type,
    std::shared_ptr<StreamReader> events, std::function<void(std::size_t bytes)> on_closed);

}  // namespace tabernetes::host

// What the core hands back: a whole body, or a stream that goes on.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "tabernetes/buffer.h"
#include "tabernetes/request.h"

namespace tabernetes {

// A body that goes on, such as a watch. Destroying it tells the server that the peer has left.
// All calls come from the server's one strand.
class Stream {
 public:
  virtual ~Stream() = default;

  // What is ready now: each slice is one whole event with its frame. No more than about 256 KiB at
  // a time, so that a slow reader holds little: call again for more. Empty if nothing is ready.
  virtual Rope next() = 0;

  // True when nothing will follow what next() has given.
  virtual bool ended() const = 0;

  // Calls `wake` once when next() has bytes again or the stream ended; set after an empty next().
  // `wake` may note the fact and nothing else: it must not call into the core.
  virtual void on_ready(std::function<void()> wake) = 0;

 protected:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

// What the events of a stream become on a WebSocket.
enum class MessageType {
  kNone,    // no WebSocket: the bytes are a body
  kText,    // each slice is one text message
  kBinary,  // each slice is one binary message
};

// Status 101 is a WebSocket to open over the connection of the request: the core has checked the
// handshake, the host answers Sec-WebSocket-Accept, sends the messages, and closes with 1000 when
// the stream has ended.
struct Response {
  int status = 200;
  Headers headers;                 // names in their usual spelling; no Content-Length, no Date
  Rope body;                       // the whole body when `stream` is null
  std::unique_ptr<Stream> stream;  // a body that goes on
  MessageType message_type = MessageType::kNone;  // other than kNone with status 101
};

// Gives the answer to one request: called at most once, in ApiServer::handle() or in a later
// handle(), advance() or load(), where the answer waits for a resourceVersion. An ApiServer that is
// destroyed drops the replies that still wait, uncalled; a host whose peer has left ignores the
// answer. May not call into the ApiServer.
using Reply = std::function<void(Response)>;

}  // namespace tabernetes

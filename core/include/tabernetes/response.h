// What the core hands back: a whole body, or a stream that goes on.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "tabernetes/buffer.h"
#include "tabernetes/request.h"

namespace tabernetes {

// A body that goes on: a watch, or a long answer that is made while it is sent. Destroying it tells
// the server that the peer has left. All calls come from the server's one strand, but for those of
// a finite stream: see finite().
class Stream {
 public:
  virtual ~Stream() = default;

  // What is ready now: each slice of a watch is one whole event with its frame. No more than about
  // 256 KiB at a time, so that a slow reader holds little: call again for more. Empty if nothing is
  // ready.
  virtual Rope next() = 0;

  // True when nothing will follow what next() has given.
  virtual bool ended() const = 0;

  // Calls `wake` once when next() has bytes again or the stream ended; set after an empty next().
  // `wake` may note the fact and nothing else: it must not call into the core.
  virtual void on_ready(std::function<void()> wake) = 0;

  // True for a long answer: it ends by itself and waits for nothing, so that it is to be sent to
  // its end even when the host shuts down. It may be read and destroyed on any thread, one at a
  // time; an empty next() only gives others their turn, and on_ready() wakes at once.
  virtual bool finite() const { return false; }

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

// What the host does to the bytes of a body on their way out.
enum class ContentEncoding {
  kIdentity,  // nothing
  // Compresses them, at level 1 where it can choose. The headers say so already; the length is not
  // known, so the host sends no Content-Length. Of a stream too. Only if Options::compression.
  kGzip,
};

// Status 101 is a WebSocket to open over the connection of the request: the core has checked the
// handshake, the host answers Sec-WebSocket-Accept, sends the messages, and closes with 1000 when
// the stream has ended.
struct Response {
  int status = 200;
  Headers headers;                 // names in their usual spelling; no Content-Length, no Date
  Rope body;                       // the whole body when `stream` is null
  std::unique_ptr<Stream> stream;  // a body that goes on
  ContentEncoding content_encoding = ContentEncoding::kIdentity;
  MessageType message_type = MessageType::kNone;  // other than kNone with status 101
};

// Gives the answer to one request: called at most once, in ApiServer::handle() or in a later
// handle(), advance(), load() or answer_webhook(), where the answer waits for a resourceVersion or
// a webhook. An ApiServer that is
// destroyed drops the replies that still wait, uncalled; a host whose peer has left ignores the
// answer. May not call into the ApiServer.
using Reply = std::function<void(Response)>;

}  // namespace tabernetes

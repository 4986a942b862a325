// What goes between a host and the core: HTTP without connections. Requests go in; a Response,
// whole or a stream that goes on, comes out; and calls of webhooks that the host makes for the
// core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tabernetes/buffer.h"
#include "tabernetes/expected.h"

namespace tabernetes {

// Header lines in the order of the wire. Request names are lower case.
using Headers = std::vector<std::pair<std::string, std::string>>;

// The first value of header `name` (lower case); empty if there is none.
std::string_view find_header(const Headers& headers, std::string_view name);

// Facts of the connection that a request came over.
struct Peer {
  std::string local_address;   // "127.0.0.1:8001", for serverAddressByClientCIDRs; empty in-process
  std::string remote_address;  // "127.0.0.1"
};

struct Request {
  std::string method;  // as sent, such as "GET"
  std::string target;  // path[?query], still percent-encoded
  Headers headers;
  std::string body;
  Peer peer;
};

// What a request is, in the words of kube-apiserver's log and metrics.
struct RequestSummary {
  std::string verb;      // GET, LIST, WATCH, APPLY, CONNECT, or the method
  std::string resource;  // "pods", "deployments.apps/scale"; empty for what is no resource
};

// Looks at the path alone: whether the resource exists is another matter. Source: upstream 1.36
// apiserver/pkg/endpoints/request/requestinfo.go and metrics.NormalizedVerb.
RequestSummary summarize_request(std::string_view method, std::string_view target,
                                 std::string_view content_type);

// The largest body that a request for `target` may have. A host passes on at least one byte more of
// a larger one, so that the core sees it and refuses it with the right Status.
std::size_t max_body_bytes(std::string_view target);

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

// A call that kube-apiserver would make to a webhook, and that the host makes in its place: a POST
// of JSON, with the media type application/json.
struct WebhookCall {
  // Where kube-apiserver would turn for a webhook that is a service; a host may know better.
  struct Service {
    std::string name;               // "hook.default:443"
    Expected<std::string> address;  // "localhost:443", or why there is none
  };

  std::uint64_t id = 0;
  std::string url;  // "https://hook.default.svc:443/convert?timeout=30s"
  // PEM: who may have signed the server's certificate. Empty: whom the host trusts.
  std::string ca_bundle;
  std::string body;
  std::optional<Service> service;  // of a webhook that is one
};

struct WebhookAnswer {
  // Why nothing came back, such as "dial tcp 127.0.0.1:1: connect: connection refused"; with a
  // status: why the body broke off.
  std::optional<Fault> fault;
  int status = 0;
  std::string body;
};

}  // namespace tabernetes

// HTTP between a host and the core, without connections: requests, responses (whole or as a
// stream), and the webhook calls that the host makes for the core.
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

// Header lines in their order on the wire. Names in requests are lower case.
using Headers = std::vector<std::pair<std::string, std::string>>;

// Returns the first value of the header `name` (lower case), or an empty text.
std::string_view find_header(const Headers& headers, std::string_view name);

// The certificate that a client has shown, and what the host thinks of it.
struct ClientCertificate {
  enum class Trust { kNotAsked, kTrusted, kRefused };
  Trust as_user = Trust::kNotAsked;   // its chain leads to an authority for users
  Trust as_proxy = Trust::kNotAsked;  // it may name the user in headers: Options::request_headers
  std::string common_name;
  std::vector<std::string> organizations;
  std::vector<std::string> uids;  // values of 1.3.6.1.4.1.57683.2
  std::string fingerprint;        // SHA-256 of its DER form, in lower-case hexadecimal
};

// The connection of a request.
struct Peer {
  std::string local_address;   // "127.0.0.1:8001", for serverAddressByClientCIDRs; empty in-process
  std::string remote_address;  // "127.0.0.1"
  std::shared_ptr<const ClientCertificate> certificate = nullptr;  // null: it has shown none
};

struct Request {
  std::string method;  // as sent, such as "GET"
  std::string target;  // path[?query], still percent-encoded
  Headers headers;
  std::string body;
  Peer peer;
  // If not empty, the host itself names the user, in lines like the headers Impersonate-*; no
  // credentials are needed. Never set it from data of a client.
  Headers host_identity = {};
};

// Verb and resource of a request, as in kube-apiserver's log and metrics.
struct RequestSummary {
  std::string verb;      // GET, LIST, WATCH, APPLY, CONNECT, or the method
  std::string resource;  // "pods", "deployments.apps/scale"; empty for other paths
};

// Summarizes a request by its path alone; the resource may not exist. Source: upstream 1.36
// apiserver/pkg/endpoints/request/requestinfo.go and metrics.NormalizedVerb.
RequestSummary summarize_request(std::string_view method, std::string_view target,
                                 std::string_view content_type);

// Returns the size limit of the body of a request for `target`. Of a larger body, a host passes on
// at least one byte more than the limit, so that the core refuses it with the right Status.
std::size_t max_body_bytes(std::string_view target);

// A body in pieces: a watch, or a long answer that is encoded while it is sent. Destroying it tells
// the server that the client has disconnected. The host makes all calls on the server's one strand,
// except for a finite stream: see finite().
class Stream {
 public:
  virtual ~Stream() = default;

  // Returns the bytes that are ready, or nothing. Each slice of a watch is one event with its
  // frame. Returns at most about 256 KiB, so that a slow reader needs little memory: call again for
  // more.
  virtual Rope next() = 0;

  // Returns true if next() has returned all bytes.
  virtual bool ended() const = 0;

  // Calls `wake` once, when next() has bytes again or the stream has ended. The host calls this
  // after an empty next(). `wake` must not call into the core.
  virtual void on_ready(std::function<void()> wake) = 0;

  // Takes a message that the client has sent on the WebSocket of this stream, or bytes of another
  // protocol. Watches ignore it.
  virtual void receive(std::string_view message) { static_cast<void>(message); }

  // Returns true for a long answer: it ends by itself and waits for nothing, so a host that shuts
  // down still sends it to its end. It may be read and destroyed on any thread, one at a time.
  // After an empty next(), on_ready() wakes at once.
  virtual bool finite() const { return false; }

  // Returns true for a stream that has ended before its end, on purpose: the host closes the
  // connection without ending the body.
  virtual bool broken() const { return false; }

 protected:
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

// How the events of a stream are sent on a WebSocket.
enum class MessageType {
  kNone,    // no WebSocket: the bytes are a body, or with status 101 another protocol
  kText,    // each slice is one text message
  kBinary,  // each slice is one binary message
};

// How the host encodes the bytes of a body.
enum class ContentEncoding {
  kIdentity,  // unchanged
  // Compressed, at level 1 if the host can choose, streams too. The headers have Content-Encoding
  // already; the host sends no Content-Length. Only with Options::compression.
  kGzip,
};

// Status 101 opens a WebSocket over the connection of the request: the core has checked the
// handshake; the host answers Sec-WebSocket-Accept, sends the messages, and closes with 1000 when
// the stream has ended. Without a message type it opens the protocol that the headers name: the
// host sends these headers and then bytes, and passes on the client's bytes as they come.
struct Response {
  int status = 200;
  Headers headers;                 // names in their usual spelling; no Content-Length, no Date
  Rope body;                       // the whole body when `stream` is null
  std::unique_ptr<Stream> stream;  // the body in pieces
  ContentEncoding content_encoding = ContentEncoding::kIdentity;
  MessageType message_type = MessageType::kNone;  // other than kNone: status 101
  // True: the host closes the connection without an answer, on purpose.
  bool lost = false;
};

// Receives the answer to one request. Called at most once: in ApiServer::handle(), or in a later
// handle(), advance(), load() or answer_webhook() if the answer waits for a resourceVersion or a
// webhook. A destroyed ApiServer does not call the replies that still wait. May not call into the
// ApiServer.
using Reply = std::function<void(Response)>;

// A call of a webhook that the host makes: a POST of JSON, with the media type application/json; or
// a GET.
struct WebhookCall {
  // The service of a webhook. A host may use another address for it.
  struct Service {
    std::string name;               // "hook.default:443"
    Expected<std::string> address;  // "localhost:443", or the reason why it has none
  };

  std::uint64_t id = 0;
  std::string url;  // "https://hook.default.svc:443/convert?timeout=30s"
  // PEM: the certificate authorities to trust. Empty: those that the host trusts.
  std::string ca_bundle;
  std::string body;
  std::optional<Service> service;  // of a webhook that names one
  std::string method = "POST";
  Headers headers = {};  // to be sent too, such as Authorization
  // PEM: how the host makes itself known; may be empty.
  std::string client_certificate = {}, client_key = {};
  std::string server_name = {};  // of the server's certificate, if it is not the host of the URL
  bool unverified = false;       // any certificate will do
};

struct WebhookAnswer {
  // Why there is no answer, such as "dial tcp 127.0.0.1:1: connect: connection refused". With a
  // status: why the body is incomplete.
  std::optional<Fault> fault;
  int status = 0;
  std::string body;
  std::string content_type = {}, retry_after = {};  // headers
};

}  // namespace tabernetes

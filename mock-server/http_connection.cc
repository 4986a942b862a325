// Reads requests with Beast's HTTP parser. Writes answers straight from the core's buffers by
// gathering system calls.
#include "http_connection.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gzip_body.h"
#include "http2_connection.h"
#include "request_gate.h"
#include "request_parser.h"
#include "response_head.h"
#include "target.h"
#include "tls_server.h"
#include "tunnel_connection.h"
#include "websocket_connection.h"
#include "wire.h"

namespace tabernetes::host {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::size_t kFirstRead = 4096;         // holds most requests
constexpr std::size_t kLaterReads = 64 * 1024;   // for bodies
constexpr std::size_t kWriteSize = 1024 * 1024;  // most bytes per system call
constexpr std::size_t kPipelined = 64 * 1024;    // most bytes kept of requests sent during a watch
constexpr std::size_t kLargestJoined = 64 * 1024;
constexpr std::chrono::seconds kTlsHandshakeTime(10);
constexpr std::chrono::seconds kGoodbyeTime(1);
constexpr std::chrono::minutes kIdleTime(3);  // between requests, and for a head
constexpr std::chrono::minutes kBodyTime(3);
constexpr std::chrono::minutes kWriteTime(10);  // long, as a debugger may hold a client
constexpr std::chrono::seconds kDrainTime(5);   // to read the rest of a refused request

bool is_http_error(const error_code& error) {
  return error.category() == http::make_error_code(http::error::end_of_stream).category();
}

asio::const_buffer to_buffer(std::string_view text) {
  return asio::const_buffer(text.data(), text.size());
}

// A buffer sequence that is cheap to copy, which Asio does often.
struct BufferSpan {
  using value_type = asio::const_buffer;
  using const_iterator = const asio::const_buffer*;
  const_iterator begin() const { return first; }
  const_iterator end() const { return last; }

  // Drops the first `bytes` bytes.
  void skip(std::size_t bytes) {
    while (first != last && bytes >= first->size()) bytes -= first++->size();
    if (first != last) *first += bytes;
  }

  asio::const_buffer* first;
  asio::const_buffer* last;
};

std::string to_text(const tcp::endpoint& endpoint) {
  return to_string(ListenAddress{endpoint.address().to_string(), endpoint.port()});
}

// What a client of HTTP/2 sends first (RFC 9113, section 3.4).
constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

}  // namespace

class HttpConnection final : public Connection,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(tcp::socket socket, std::shared_ptr<ConnectionContext> context)
      : context_(std::move(context)),
        wire_(std::make_unique<Wire>(std::move(socket), context_->site->tls_context())) {
    error_code ignored;
    wire_->socket().set_option(tcp::no_delay(true), ignored);
    wire_->socket().non_blocking(true, ignored);  // see write_buffers
    peer_.local_address = to_text(wire_->socket().local_endpoint(ignored));
    const tcp::endpoint remote = wire_->socket().remote_endpoint(ignored);
    remote_ = to_text(remote);
    peer_.remote_address = remote.address().to_string();
    context_->add(*this);
  }

  ~HttpConnection() override {
    if (reader_) reader_->close();
    context_->remove(*this);
  }

  // Begins with the handshake, or with what the client sends first.
  void begin();
  void shut_down() override;
  void close() override;

 private:
  enum class Phase { kReading, kAnswering, kStreaming, kUpgraded, kClosed };

  // Getting to know the client.
  void shake_hands();
  void on_handshake(error_code error);
  void read_first();
  void speak_http2();

  // Reading.
  void read_head();
  void on_head(error_code error);
  void send_continue();
  void read_body();
  std::optional<error_code> parse_buffered_body();
  void on_body(error_code error);
  void on_read_error(error_code error);
  std::optional<Response> refuse_head();
  Request take_request();

  // Answering.
  void hand_over(Request request);
  void refuse(Response response);
  void respond(Response response);
  void write_buffers();
  BufferSpan as_record(BufferSpan pieces);
  void compress_soon();
  void write_compressed();
  void on_written(error_code error);
  void finish_exchange();
  void say_goodbye();
  void drain();

  // Streaming.
  void read_unit();
  void write_unit(Rope unit, bool ended);
  void frame_body(bool ended);
  void watch_peer();
  void look_at_peer();
  void read_ahead();
  void on_read_ahead(error_code error, std::size_t bytes);
  void upgrade(Response response);

  void log_exchange();

  std::shared_ptr<ConnectionContext> context_;
  std::unique_ptr<Wire> wire_;  // null once another connection has it
  std::string remote_;          // kept: a socket that was reset has lost it
  Peer peer_;
  beast::flat_buffer buffer_;
  std::optional<RequestParser> parser_;
  Phase phase_ = Phase::kReading;

  // The exchange under way.
  std::unique_ptr<LoggedRequest> logged_;  // null if it is not logged
  std::chrono::steady_clock::time_point started_;
  HeadOptions options_;
  Framing framing_ = Framing::kNone;
  int status_ = 0;
  std::size_t bytes_sent_ = 0;
  bool breaks_off_ = false;    // the body ends before its end, and the connection with it
  bool input_unread_ = false;  // a part of the request was not read
  std::string websocket_key_;

  // The bytes being written; unchanged until the write is done.
  std::string head_;
  Rope body_;
  std::vector<asio::const_buffer> buffers_;
  std::string record_;  // the same in one piece, for TLS

  std::shared_ptr<StreamReader> reader_;
  std::unique_ptr<GzipBody> gzip_;                  // non-null if the body is compressed
  std::shared_ptr<WebSocketConnection> websocket_;  // owns the socket once non-null
  bool watching_peer_ = false;
  bool reads_next_ = false;  // the next request is read once watching_peer_ is false
  bool writing_ = false;
  bool compressing_ = false;  // compress_soon() was posted
};

// ---- getting to know the client

void HttpConnection::begin() {
  if (context_->stopping) return close();
  if (wire_->secure()) return shake_hands();
  read_first();
}

void HttpConnection::shake_hands() {
  wire_->expires_after(kTlsHandshakeTime);
  wire_->shake_hands([self = shared_from_this()](error_code error) { self->on_handshake(error); });
}

void HttpConnection::on_handshake(error_code error) {
  if (phase_ == Phase::kClosed) return;
  if (error.category() == asio::error::get_ssl_category() &&
      ERR_GET_REASON(error.value()) == SSL_R_HTTP_REQUEST) {
    // What Go's server tells a client that speaks no TLS.
    error_code ignored;
    wire_->socket().write_some(
        to_buffer(
            "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"),
        ignored);
  }
  if (error) return close();
  SSL* const tls = wire_->tls();
  peer_.certificate = context_->site->settings.tls->certificate_of(tls);
  if (speaks_http2(tls)) return speak_http2();
  read_head();
}

// Looks whether the client begins with HTTP/2, as it may without TLS if it knows that we speak it.
void HttpConnection::read_first() {
  wire_->expires_after(kIdleTime);
  wire_->async_read_some(buffer_.prepare(kFirstRead), [self = shared_from_this()](
                                                          error_code error, std::size_t bytes) {
    if (self->phase_ == Phase::kClosed) return;
    if (error) return self->close();
    self->buffer_.commit(bytes);
    const auto data = self->buffer_.cdata();
    const std::string_view sent(static_cast<const char*>(data.data()), data.size());
    if (sent.starts_with(kPreface)) return self->speak_http2();
    if (kPreface.starts_with(sent)) return self->read_first();
    self->read_head();
  });
}

// Hands the connection over and ends with it.
void HttpConnection::speak_http2() {
  const auto data = buffer_.cdata();
  start_http2(std::move(wire_), {static_cast<const char*>(data.data()), data.size()}, peer_,
              remote_, context_);
  phase_ = Phase::kClosed;
}

// ---- reading

void HttpConnection::read_head() {
  phase_ = Phase::kReading;
  if (context_->stopping) return close();
  parser_.emplace();
  buffer_.reserve(kFirstRead);
  wire_->expires_after(kIdleTime);
  http::async_read_header(
      *wire_, buffer_, *parser_,
      [self = shared_from_this()](error_code error, std::size_t) { self->on_head(error); });
}

void HttpConnection::on_head(error_code error) {
  if (phase_ == Phase::kClosed) return;
  if (error) return on_read_error(error);
  started_ = std::chrono::steady_clock::now();
  const Request& request = parser_->request();
  options_ = HeadOptions{.http_1_0 = parser_->http_1_0(),
                         .head_request = request.method == "HEAD",
                         .keep_alive = parser_->keep_alive(),
                         .date = {}};
  logged_ = logged_request(request, remote_, context_->site->settings.log);
  if (auto refusal = refuse_head()) return refuse(std::move(*refusal));
  if (parser_->is_done()) return hand_over(take_request());
  const bool asks_first = beast::iequals(find_header(request.headers, "expect"), "100-continue");
  if (asks_first && !options_.http_1_0 && buffer_.size() == 0) return send_continue();
  read_body();
}

void HttpConnection::send_continue() {
  wire_->expires_after(kWriteTime);
  asio::async_write(*wire_, to_buffer("HTTP/1.1 100 Continue\r\n\r\n"),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      if (error) return self->close();
                      self->read_body();
                    });
}

void HttpConnection::read_body() {
  if (const auto complete = parse_buffered_body()) return on_body(*complete);
  buffer_.reserve(kLaterReads);
  wire_->expires_after(kBodyTime);
  http::async_read(
      *wire_, buffer_, *parser_,
      [self = shared_from_this()](error_code error, std::size_t) { self->on_body(error); });
}

// Parses the part of the body that arrived with the head, often all of it. Returns the result of
// reading, or nullopt if more must be read.
std::optional<error_code> HttpConnection::parse_buffered_body() {
  parser_->eager(true);
  for (std::size_t used = 1; used > 0 && buffer_.size() > 0 && !parser_->is_done();) {
    error_code error;
    used = parser_->put(buffer_.data(), error);
    buffer_.consume(used);
    if (error && error != http::error::need_more) return error;
  }
  if (!parser_->is_done()) return std::nullopt;
  return error_code();
}

void HttpConnection::on_body(error_code error) {
  if (phase_ == Phase::kClosed) return;
  if (error == http::error::body_limit) {
    // The core answers that the body is too large; the rest is not read.
    options_.keep_alive = false;
    input_unread_ = true;
  } else if (error) {
    return on_read_error(error);
  }
  hand_over(take_request());
}

// A peer that left is dropped at any point. A peer that does not speak HTTP gets an error.
void HttpConnection::on_read_error(error_code error) {
  const bool left = error == http::error::end_of_stream || error == http::error::partial_message ||
                    !is_http_error(error);
  if (left) return close();
  options_ = HeadOptions();
  if (error == http::error::header_limit) {
    return refuse(text_answer(431, "431 Request Header Fields Too Large"));
  }
  refuse(text_answer(400, "400 Bad Request"));
}

// Returns the answer to a request that is refused before its body is read, or nullopt if it is
// accepted.
std::optional<Response> HttpConnection::refuse_head() {
  const Request& request = parser_->request();
  const auto hosts = std::count_if(request.headers.begin(), request.headers.end(),
                                   [](const auto& header) { return header.first == "host"; });
  if (hosts > 1) return text_answer(400, "400 Bad Request: too many Host headers");
  if (hosts == 0 && !options_.http_1_0) {
    return text_answer(400, "400 Bad Request: missing required Host header");
  }
  const std::string_view absolute = split_absolute_form(request.target).authority;
  const std::string_view authority =
      absolute.empty() ? find_header(request.headers, "host") : absolute;
  return refuse_request(request, authority, context_->site->settings);
}

Request HttpConnection::take_request() {
  Request request = std::move(parser_->request());
  parser_.reset();
  const AbsoluteForm form = split_absolute_form(request.target);
  if (!form.authority.empty()) request.target = std::string(form.target);
  request.peer = peer_;
  websocket_key_ = find_header(request.headers, "sec-websocket-key");
  return request;
}

// ---- answering

void HttpConnection::hand_over(Request request) {
  phase_ = Phase::kAnswering;
  answer_request(*context_, std::move(request), [self = shared_from_this()](Response response) {
    self->respond(std::move(response));
  });
}

// Answers without the core, then closes the connection, whose input can no longer be trusted.
void HttpConnection::refuse(Response response) {
  phase_ = Phase::kAnswering;
  options_.keep_alive = false;
  input_unread_ = true;
  respond(std::move(response));
}

void HttpConnection::respond(Response response) {
  if (logged_) logged_->audit_id = find_header(response.headers, "Audit-Id");
  if (response.lost) return close();
  if (response.status == 101) return upgrade(std::move(response));
  if (context_->stopping) options_.keep_alive = false;
  options_.date = context_->core.date();
  framing_ = framing_of(response, options_);
  if (framing_ == Framing::kClose) options_.keep_alive = false;
  status_ = response.status;
  bytes_sent_ = 0;
  head_ = format_head(response, framing_, options_);
  body_ = framing_ == Framing::kLength ? std::move(response.body) : Rope();
  gzip_.reset();
  if (response.content_encoding == ContentEncoding::kGzip && framing_ != Framing::kNone) {
    gzip_ = std::make_unique<GzipBody>();
    gzip_->add(response.body);
    if (!response.stream) gzip_->finish();
  }
  if (response.stream) {
    reader_ = std::make_shared<StreamReader>(context_->core, std::move(response.stream));
    // Drops the stream of a HEAD request, or if the peer has left.
    if (framing_ == Framing::kNone || phase_ == Phase::kClosed) {
      reader_->close();
      reader_.reset();
    }
  }
  if (phase_ == Phase::kClosed) return;

  buffers_.clear();
  buffers_.reserve(1 + body_.slices().size());
  buffers_.push_back(to_buffer(head_));
  for (const Slice& slice : body_.slices()) buffers_.push_back(to_buffer(slice.view()));
  if (reader_) {
    phase_ = Phase::kStreaming;
    if (!reader_->finite()) {
      buffer_.shrink_to_fit();  // a watch may last for hours
      watch_peer();
    }
  }
  write_buffers();
}

// Writes as much as the system accepts at once, usually everything, and the rest asynchronously.
void HttpConnection::write_buffers() {
  BufferSpan left{buffers_.data(), buffers_.data() + buffers_.size()};
  error_code error;
  while (left.first != left.last) {
    const std::size_t written = wire_->write_now(left, error);
    if (error) break;
    bytes_sent_ += written;
    left.skip(written);
  }
  if (error != asio::error::would_block) return on_written(error);
  left = as_record(left);
  writing_ = true;
  wire_->expires_after(kWriteTime);
  asio::async_write(
      *wire_, BufferSpan(left),
      [](const error_code& failed, std::size_t) { return failed ? 0 : kWriteSize; },
      [self = shared_from_this()](error_code failed, std::size_t bytes) {
        self->writing_ = false;
        self->bytes_sent_ += bytes;
        self->on_written(failed);
      });
}

// Joins small pieces, each of which TLS would send in a record and a packet of its own.
BufferSpan HttpConnection::as_record(BufferSpan pieces) {
  if (!wire_->secure() || pieces.last - pieces.first < 2) return pieces;
  std::size_t size = 0;
  for (const asio::const_buffer& each : pieces) size += each.size();
  if (size > kLargestJoined) return pieces;
  record_.clear();
  for (const asio::const_buffer& each : pieces) {
    record_.append(static_cast<const char*>(each.data()), each.size());
  }
  buffers_ = {to_buffer(record_)};
  return {buffers_.data(), buffers_.data() + 1};
}

void HttpConnection::on_written(error_code error) {
  body_ = Rope();
  if (error || phase_ == Phase::kClosed) return close();
  if (gzip_ && !gzip_->drained()) return compress_soon();
  if (reader_) return context_->stopping && !reader_->finite() ? shut_down() : read_unit();
  finish_exchange();
}

// Posted, so that the thread's other connections get a turn between two pieces.
void HttpConnection::compress_soon() {
  compressing_ = true;
  asio::post(wire_->get_executor(), [self = shared_from_this()] {
    self->compressing_ = false;
    if (self->phase_ != Phase::kClosed) self->write_compressed();
  });
}

// Writes the next piece of a compressed body.
void HttpConnection::write_compressed() {
  body_ = Rope(gzip_->next());
  const bool ended = gzip_->drained() && !reader_;
  frame_body(ended && !breaks_off_);
  if (ended) gzip_.reset();
  write_buffers();
}

void HttpConnection::finish_exchange() {
  if (breaks_off_) return close();
  log_exchange();
  if (options_.keep_alive) {
    reads_next_ = wire_->secure() && watching_peer_;
    if (reads_next_) {
      phase_ = Phase::kReading;
      return;
    }
    return read_head();
  }
  if (!input_unread_) return say_goodbye();
  error_code ignored;
  wire_->socket().shutdown(tcp::socket::shutdown_send, ignored);
  phase_ = Phase::kReading;
  wire_->expires_after(kDrainTime);
  drain();
}

// Closes. Over TLS the client is told, as otherwise somebody could have cut the answer off.
void HttpConnection::say_goodbye() {
  if (!wire_->secure() || watching_peer_) return close();
  phase_ = Phase::kReading;
  wire_->expires_after(kGoodbyeTime);
  wire_->say_goodbye([self = shared_from_this()](error_code) { self->close(); });
}

// Reads and drops the rest of the request: closing on unread input would reset the connection, and
// the peer might lose the answer.
void HttpConnection::drain() {
  buffer_.clear();
  wire_->async_read_some(buffer_.prepare(kLaterReads),
                         [self = shared_from_this()](error_code error, std::size_t) {
                           if (error) return self->close();
                           self->drain();
                         });
}

// ---- streaming

void HttpConnection::read_unit() {
  reader_->read([self = shared_from_this()](Rope unit, bool ended) {
    self->write_unit(std::move(unit), ended);
  });
}

void HttpConnection::write_unit(Rope unit, bool ended) {
  if (!reader_ || writing_) return;  // closed or shut down meanwhile
  if (ended) {
    breaks_off_ = reader_->broken();
    reader_->close();
    reader_.reset();
    phase_ = Phase::kAnswering;
  }
  if (gzip_) {
    gzip_->add(unit);
    if (ended) gzip_->finish();
    return write_compressed();
  }
  body_ = std::move(unit);
  frame_body(ended && !breaks_off_);
  write_buffers();
}

// Puts `body_` into `buffers_`, framed as a chunk if need be. `ended`: it is the last piece.
void HttpConnection::frame_body(bool ended) {
  const bool chunked = framing_ == Framing::kChunked;
  buffers_.clear();
  if (!body_.empty()) {
    head_ = format_chunk_size(body_.size());
    if (chunked) buffers_.push_back(to_buffer(head_));
    for (const Slice& slice : body_.slices()) buffers_.push_back(to_buffer(slice.view()));
    if (chunked) buffers_.push_back(to_buffer("\r\n"));
  }
  if (ended && chunked) buffers_.push_back(to_buffer("0\r\n\r\n"));
}

// Detects that the peer leaves while there is nothing to send. Needs no buffer.
void HttpConnection::watch_peer() {
  if (watching_peer_) return;
  watching_peer_ = true;
  if (wire_->secure()) return read_ahead();
  wire_->socket().async_wait(tcp::socket::wait_read,
                             [self = shared_from_this(), watch = reader_](error_code error) {
                               self->watching_peer_ = false;
                               if (!self->reader_ || self->reader_->finite()) return;
                               // The event may have been the request that began this watch.
                               if (self->reader_ != watch) return self->watch_peer();
                               if (error) return self->close();
                               self->look_at_peer();
                             });
}

void HttpConnection::look_at_peer() {
  error_code error;
  const std::size_t available = wire_->socket().available(error);
  if (error || available == 0) return close();
  // The peer has sent its next request early. Beyond kPipelined it stays in the system's buffer.
  if (buffer_.size() >= kPipelined) return;
  const std::size_t read = wire_->socket().read_some(
      buffer_.prepare(std::min(available, kPipelined - buffer_.size())), error);
  if (error) return close();
  buffer_.commit(read);
  watch_peer();
}

// Detects over TLS that the peer leaves: its records must be read for that.
void HttpConnection::read_ahead() {
  wire_->expires_never();
  wire_->async_read_some(buffer_.prepare(kFirstRead),
                         [self = shared_from_this()](error_code error, std::size_t bytes) {
                           self->on_read_ahead(error, bytes);
                         });
}

void HttpConnection::on_read_ahead(error_code error, std::size_t bytes) {
  watching_peer_ = false;
  if (phase_ == Phase::kClosed) return;
  if (error) return close();
  buffer_.commit(bytes);
  if (std::exchange(reads_next_, false)) return read_head();
  if (reader_ && !reader_->finite() && buffer_.size() < kPipelined) watch_peer();
}

// Hands the connection to a WebSocket or another protocol and ends with it.
void HttpConnection::upgrade(Response response) {
  const auto events = std::make_shared<StreamReader>(context_->core, std::move(response.stream));
  if (phase_ == Phase::kClosed) return events->close();
  if (buffer_.size() > 0) {
    events->close();
    return refuse(text_answer(400, "400 Bad Request: data before the upgrade"));
  }
  phase_ = Phase::kUpgraded;
  status_ = response.status;
  const auto on_closed = [self = shared_from_this()](std::size_t bytes) {
    self->bytes_sent_ = bytes;
    self->log_exchange();
    self->phase_ = Phase::kClosed;
    self->websocket_.reset();
  };
  if (response.message_type == MessageType::kNone) {
    std::string head = "HTTP/1.1 101 Switching Protocols\r\n";
    for (const auto& [name, value] : response.headers) {
      head.append(name).append(": ").append(value).append("\r\n");
    }
    websocket_ = open_tunnel(std::move(wire_), head + "\r\n", events, on_closed);
    if (context_->stopping) websocket_->shut_down();
    return;
  }
  const WebSocketHandshake handshake{
      std::move(websocket_key_),
      std::string(find_header(response.headers, "Sec-WebSocket-Protocol"))};
  websocket_ =
      open_websocket(std::move(wire_), handshake, response.message_type, events, on_closed);
  if (context_->stopping) websocket_->shut_down();
}

// ---- the end

void HttpConnection::shut_down() {
  if (websocket_) return websocket_->shut_down();
  if (phase_ == Phase::kReading) return close();
  options_.keep_alive = false;
  if (phase_ == Phase::kStreaming && !writing_ && !compressing_ && !reader_->finite()) {
    reader_->close();
    write_unit(Rope(), true);
  }
}

void HttpConnection::close() {
  if (websocket_) return websocket_->close();
  if (phase_ == Phase::kStreaming) log_exchange();
  phase_ = Phase::kClosed;
  if (reader_) {
    reader_->close();
    reader_.reset();
  }
  if (wire_) wire_->close();
}

void HttpConnection::log_exchange() {
  if (!logged_) return;
  logged_->status = status_;
  logged_->bytes = bytes_sent_;
  logged_->took = std::chrono::steady_clock::now() - started_;
  context_->site->settings.log.request(*logged_);
  logged_.reset();
}

void start_connection(tcp::socket socket, std::shared_ptr<ConnectionContext> context) {
  // The connection is destroyed on its own thread, whichever thread drops the last reference.
  IoThread& thread = context->thread;
  const std::shared_ptr<HttpConnection> connection(
      new HttpConnection(std::move(socket), std::move(context)), [&thread](HttpConnection* last) {
        thread.run([owned = std::unique_ptr<HttpConnection>(last)] {});
      });
  connection->begin();
}

}  // namespace tabernetes::host

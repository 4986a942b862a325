// The only file that serves HTTP/2 by nghttp2; etcd/channel is its client.
#include "http2_connection.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <chrono>
#include <map>
#include <utility>
#include <vector>

#include "http2_body.h"
#include "lower_case.h"
#include "request_gate.h"
#include "request_parser.h"

namespace tabernetes::host {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::uint32_t kStreams = 250;            // at a time
constexpr std::int32_t kStreamWindow = 256 << 10;  // of a request's body, as kube-apiserver's
constexpr std::int32_t kConnectionWindow = 16 << 20;
constexpr std::size_t kHttp2Read = 32 << 10;
constexpr std::size_t kMostWritten = 256 << 10;         // bytes per write
constexpr std::chrono::milliseconds kHttp2Looks(5000);  // at most, between looks at streams

std::string_view bytes_text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Returns true for a header that says how an HTTP/1 message is sent, which HTTP/2 forbids.
bool is_of_connection(std::string_view name) {
  return name == "connection" || name == "transfer-encoding" || name == "keep-alive" ||
         name == "upgrade" || name == "proxy-connection";
}

// The head of an answer, as nghttp2 wants it.
class Head {
 public:
  void add(std::string_view name, std::string_view value) {
    std::string text(value);
    for (char& c : text) {
      if (c == '\r' || c == '\n' || c == '\0') c = ' ';
    }
    lines_.emplace_back(lower_case(name), std::move(text));
  }

  std::vector<nghttp2_nv> lines() {
    const auto bytes = [](std::string& text) {
      return reinterpret_cast<std::uint8_t*>(text.data());
    };
    std::vector<nghttp2_nv> all;
    for (auto& [name, value] : lines_) {
      all.push_back({bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE});
    }
    return all;
  }

 private:
  std::vector<std::pair<std::string, std::string>> lines_;
};

class Http2Connection final : public Connection,
                              public std::enable_shared_from_this<Http2Connection> {
 public:
  Http2Connection(std::unique_ptr<Wire> wire, Peer peer, std::string remote,
                  std::shared_ptr<ConnectionContext> context)
      : context_(std::move(context)),
        wire_(std::move(wire)),
        peer_(std::move(peer)),
        remote_(std::move(remote)),
        idle_(wire_->get_executor()),
        looks_(wire_->get_executor()) {
    context_->add(*this);
  }

  ~Http2Connection() override {
    nghttp2_session_del(session_);
    context_->remove(*this);
  }

  void begin(std::string_view received);
  void shut_down() override;
  void close() override;

 private:
  using StreamId = std::int32_t;

  // A request and its answer.
  struct Exchange {
    Request request;
    std::string authority;
    std::size_t head_bytes = 0, body_bytes = 0;
    bool headed = false;                    // its head is complete
    bool handed_over = false;               // the request was taken
    bool head_only = false;                 // of a HEAD request
    bool refused = false;                   // the rest of its body is dropped
    std::unique_ptr<LoggedRequest> logged;  // null if it is not logged
    std::chrono::steady_clock::time_point started;
    std::chrono::steady_clock::time_point moved;  // last byte of its body, or taken of the answer
    int status = 0;
    std::size_t bytes_sent = 0;
    std::unique_ptr<Http2Body> body;
  };

  // Connection.
  void read();
  bool feed(std::string_view bytes);
  void write_soon();
  void write();
  void arm_idle();
  void look_soon();
  void look_at_streams();

  // Exchanges.
  Exchange* find(StreamId id);
  void on_head(StreamId id, Exchange& exchange, bool with_body);
  void add_header(Exchange& exchange, std::string_view name, std::string_view value);
  void add_body(StreamId id, Exchange& exchange, std::string_view bytes);
  void hand_over(StreamId id, Exchange& exchange);
  void respond(StreamId id, Response response);
  void resume(StreamId id);
  void on_end(StreamId id);
  void reset(StreamId id, Exchange& exchange, Dropped why);
  void drop(error_code error);
  void log_exchange(Exchange& exchange);

  const ConnectionLimits& limits() const { return context_->site->settings.limits; }
  ConnectionCounts& counts() const { return *context_->site->settings.counts; }

  static Http2Connection& self(void* data) { return *static_cast<Http2Connection*>(data); }
  static nghttp2_session_callbacks* make_callbacks();
  static int on_begin(nghttp2_session* session, const nghttp2_frame* frame, void* data);
  static int on_header(nghttp2_session* session, const nghttp2_frame* frame,
                       const std::uint8_t* name, std::size_t name_size, const std::uint8_t* value,
                       std::size_t value_size, std::uint8_t flags, void* data);
  static int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* data);
  static int on_data(nghttp2_session* session, std::uint8_t flags, StreamId id,
                     const std::uint8_t* bytes, std::size_t size, void* data);
  static int on_close(nghttp2_session* session, StreamId id, std::uint32_t error, void* data);
  static ssize_t read_body(nghttp2_session* session, StreamId id, std::uint8_t* to,
                           std::size_t size, std::uint32_t* flags, nghttp2_data_source* source,
                           void* data);

  std::shared_ptr<ConnectionContext> context_;
  std::unique_ptr<Wire> wire_;
  Peer peer_;
  std::string remote_;
  asio::steady_timer idle_;   // without requests
  asio::steady_timer looks_;  // at those that there are
  nghttp2_session* session_ = nullptr;
  std::map<StreamId, Exchange> exchanges_;
  std::vector<char> in_ = std::vector<char>(kHttp2Read);
  std::string out_;
  bool writing_ = false, posted_ = false, closed_ = false, leaving_ = false;
};

// ---- the connection

nghttp2_session_callbacks* Http2Connection::make_callbacks() {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, &on_begin);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, &on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &on_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, &on_close);
  return callbacks;
}

void Http2Connection::begin(std::string_view received) {
  nghttp2_session_callbacks* const callbacks = make_callbacks();
  nghttp2_session_server_new(&session_, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
  const nghttp2_settings_entry settings[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, kStreams},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<std::uint32_t>(kStreamWindow)},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kHeadLimit}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, std::size(settings));
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kConnectionWindow);
  arm_idle();
  if (!feed(received)) return;
  if (context_->stopping) return shut_down();
  read();
}

void Http2Connection::read() {
  wire_->expires_never();
  wire_->async_read_some(asio::buffer(in_),
                         [self = shared_from_this()](error_code error, std::size_t size) {
                           if (self->closed_) return;
                           if (error) return self->close();
                           if (self->feed({self->in_.data(), size})) self->read();
                         });
}

// Takes what the client has sent. Returns false if the connection is over.
bool Http2Connection::feed(std::string_view bytes) {
  const auto taken = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  if (closed_) return false;
  if (taken < 0) {  // it does not speak HTTP/2, or floods us
    close();
    return false;
  }
  write_soon();
  return true;
}

// Posted, so that answers that are ready together go together.
void Http2Connection::write_soon() {
  if (writing_ || posted_ || closed_) return;
  posted_ = true;
  asio::post(wire_->get_executor(), [self = shared_from_this()] {
    self->posted_ = false;
    if (!self->closed_ && !self->writing_) self->write();
  });
}

void Http2Connection::write() {
  out_.clear();
  while (out_.size() < kMostWritten) {
    const std::uint8_t* bytes = nullptr;
    const ssize_t size = nghttp2_session_mem_send(session_, &bytes);
    if (size < 0) return close();
    if (size == 0) break;
    out_.append(bytes_text(bytes, static_cast<std::size_t>(size)));
  }
  if (out_.empty()) {
    out_.shrink_to_fit();
    const bool over =
        nghttp2_session_want_read(session_) == 0 && nghttp2_session_want_write(session_) == 0;
    if (over || (leaving_ && exchanges_.empty())) close();
    return;
  }
  writing_ = true;
  wire_->expires_after(limits().write);
  asio::async_write(*wire_, asio::buffer(out_),
                    [self = shared_from_this()](error_code error, std::size_t) {
                      self->writing_ = false;
                      if (self->closed_) return;
                      if (error) return self->drop(error);
                      self->write();
                    });
}

// Ends a connection without requests after a while.
void Http2Connection::arm_idle() {
  if (closed_) return;
  idle_.expires_after(limits().idle);
  idle_.async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (error || !self || self->closed_ || !self->exchanges_.empty()) return;
    self->counts().drop(Dropped::kIdle);
    self->shut_down();
  });
}

void Http2Connection::look_soon() {
  looks_.expires_after(std::min({kHttp2Looks, limits().head, limits().body, limits().write}));
  looks_.async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (!error && self && !self->closed_ && !self->exchanges_.empty()) self->look_at_streams();
  });
}

// Drops streams that do not go on because of the client.
void Http2Connection::look_at_streams() {
  const auto now = std::chrono::steady_clock::now();
  const bool all_blocked = nghttp2_session_get_remote_window_size(session_) <= 0;
  for (auto& [id, exchange] : exchanges_) {
    const bool reading = !exchange.handed_over;
    const bool blocked =
        exchange.body != nullptr &&
        (all_blocked || nghttp2_session_get_stream_remote_window_size(session_, id) <= 0);
    if (!reading && !blocked) exchange.moved = now;
    if (!exchange.headed && now - exchange.started > limits().head) {
      counts().drop(Dropped::kHead);
      return close();  // no other frame comes before the rest of the head
    }
    const auto since = now - exchange.moved;
    if (reading && (since > limits().body || now - exchange.started > limits().whole_body)) {
      reset(id, exchange, Dropped::kBody);
    } else if (blocked && since > limits().write) {
      reset(id, exchange, Dropped::kWrite);
    }
  }
  write_soon();
  look_soon();
}

void Http2Connection::reset(StreamId id, Exchange& exchange, Dropped why) {
  counts().drop(why);
  exchange.handed_over = exchange.refused = true;
  exchange.moved = std::chrono::steady_clock::now();
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
}

void Http2Connection::drop(error_code error) {
  if (error == boost::beast::error::timeout) counts().drop(Dropped::kWrite);
  close();
}

void Http2Connection::shut_down() {
  if (closed_ || std::exchange(leaving_, true)) return;
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                        nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                        nullptr, 0);
  std::vector<StreamId> ids;
  for (const auto& [id, exchange] : exchanges_) ids.push_back(id);
  for (const StreamId id : ids) {
    Exchange* const exchange = find(id);
    if (exchange != nullptr && exchange->body) exchange->body->finish_early();
  }
  write_soon();
}

void Http2Connection::close() {
  if (std::exchange(closed_, true)) return;
  for (auto& [id, exchange] : exchanges_) {
    if (exchange.status != 0) log_exchange(exchange);
  }
  exchanges_.clear();
  idle_.cancel();
  looks_.cancel();
  wire_->close();
}

// ---- requests

Http2Connection::Exchange* Http2Connection::find(StreamId id) {
  const auto found = exchanges_.find(id);
  return found == exchanges_.end() ? nullptr : &found->second;
}

int Http2Connection::on_begin(nghttp2_session*, const nghttp2_frame* frame, void* data) {
  if (frame->hd.type != NGHTTP2_HEADERS || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
  if (self(data).exchanges_.empty()) self(data).look_soon();
  Exchange& exchange = self(data).exchanges_[frame->hd.stream_id];
  exchange.started = exchange.moved = std::chrono::steady_clock::now();
  self(data).idle_.cancel();
  return 0;
}

int Http2Connection::on_header(nghttp2_session*, const nghttp2_frame* frame,
                               const std::uint8_t* name, std::size_t name_size,
                               const std::uint8_t* value, std::size_t value_size, std::uint8_t,
                               void* data) {
  if (frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;  // a trailer
  Exchange* const exchange = self(data).find(frame->hd.stream_id);
  if (exchange == nullptr) return 0;
  self(data).add_header(*exchange, bytes_text(name, name_size), bytes_text(value, value_size));
  return 0;
}

void Http2Connection::add_header(Exchange& exchange, std::string_view name,
                                 std::string_view value) {
  exchange.head_bytes += name.size() + value.size();
  if (exchange.head_bytes > kHeadLimit) return;
  Request& request = exchange.request;
  if (name == ":method") {
    request.method = value;
  } else if (name == ":path") {
    request.target = value;
  } else if (name == ":authority") {
    exchange.authority = value;
  } else if (!name.starts_with(':')) {
    request.headers.emplace_back(name, value);
  }
}

int Http2Connection::on_frame(nghttp2_session*, const nghttp2_frame* frame, void* data) {
  Exchange* const exchange = self(data).find(frame->hd.stream_id);
  if (exchange == nullptr) return 0;
  const bool last = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
  if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
    self(data).on_head(frame->hd.stream_id, *exchange, !last);
  }
  if (last && (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA)) {
    self(data).hand_over(frame->hd.stream_id, *exchange);
  }
  return 0;
}

void Http2Connection::on_head(StreamId id, Exchange& exchange, bool with_body) {
  Request& request = exchange.request;
  exchange.headed = true;
  exchange.logged = logged_request(request, remote_, context_->site->settings.log);
  request.peer = peer_;
  if (request.target.empty()) request.target = "/";  // of CONNECT, which the core refuses
  exchange.head_only = request.method == "HEAD";
  const std::string_view host = find_header(request.headers, "host");
  if (exchange.authority.empty()) exchange.authority = host;
  if (host.empty()) request.headers.emplace_back("host", exchange.authority);
  std::optional<Response> refusal;
  if (exchange.head_bytes > kHeadLimit) {
    refusal = text_answer(431, "431 Request Header Fields Too Large");
  } else {
    refusal = refuse_request(request, peer_, exchange.authority, context_->site->settings);
  }
  if (refusal) {
    exchange.refused = exchange.handed_over = true;
    return respond(id, std::move(*refusal));
  }
  if (with_body && find_header(request.headers, "expect") == "100-continue") {
    Head head;
    head.add(":status", "100");
    const std::vector<nghttp2_nv> lines = head.lines();
    nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, id, nullptr, lines.data(), lines.size(),
                           nullptr);
  }
}

int Http2Connection::on_data(nghttp2_session*, std::uint8_t, StreamId id, const std::uint8_t* bytes,
                             std::size_t size, void* data) {
  if (Exchange* const exchange = self(data).find(id)) {
    self(data).add_body(id, *exchange, bytes_text(bytes, size));
  }
  return 0;
}

// Keeps a byte more than the core accepts, so that the core itself refuses the body.
void Http2Connection::add_body(StreamId id, Exchange& exchange, std::string_view bytes) {
  if (exchange.refused) return;
  exchange.moved = std::chrono::steady_clock::now();
  Request& request = exchange.request;
  const std::size_t limit = max_body_bytes(request.target);
  request.body.append(bytes.substr(0, limit + 1 - request.body.size()));
  exchange.body_bytes += bytes.size();
  if (exchange.body_bytes <= std::max<std::uint64_t>(limit, kBodyRead)) return;
  hand_over(id, exchange);
  exchange.refused = true;
}

void Http2Connection::hand_over(StreamId id, Exchange& exchange) {
  if (std::exchange(exchange.handed_over, true)) return;
  answer_request(*context_, std::move(exchange.request),
                 [self = shared_from_this(), id](Response response) {
                   self->respond(id, std::move(response));
                 });
}

// ---- answers

void Http2Connection::respond(StreamId id, Response response) {
  Exchange* const exchange = closed_ ? nullptr : find(id);
  if (exchange == nullptr) {  // the client has left; a stream ends on the strand
    if (response.stream) {
      std::make_shared<StreamReader>(context_->core, std::move(response.stream))->close();
    }
    return;
  }
  if (response.lost) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, NGHTTP2_INTERNAL_ERROR);
    return write_soon();
  }
  if (exchange->logged) exchange->logged->audit_id = find_header(response.headers, "Audit-Id");
  exchange->status = response.status;
  Head head;
  head.add(":status", std::to_string(response.status));
  for (const auto& [name, value] : response.headers) {
    if (!is_of_connection(lower_case(name))) head.add(name, value);
  }
  head.add("date", context_->core.date());
  const bool bodiless = response.status < 200 || response.status == 204 || response.status == 304;
  if (!bodiless && !response.stream && response.content_encoding == ContentEncoding::kIdentity) {
    head.add("content-length", std::to_string(response.body.size()));
  }
  exchange->body =
      std::make_unique<Http2Body>(context_->core, response, [weak = weak_from_this(), id] {
        if (const auto self = weak.lock()) self->resume(id);
      });
  if (leaving_) exchange->body->finish_early();
  const bool empty = bodiless || exchange->head_only || exchange->body->ended();
  if (empty) exchange->body.reset();
  nghttp2_data_provider body{.source = {.ptr = nullptr}, .read_callback = &read_body};
  const std::vector<nghttp2_nv> lines = head.lines();
  nghttp2_submit_response(session_, id, lines.data(), lines.size(), empty ? nullptr : &body);
  write_soon();
}

ssize_t Http2Connection::read_body(nghttp2_session*, StreamId id, std::uint8_t* to,
                                   std::size_t size, std::uint32_t* flags, nghttp2_data_source*,
                                   void* data) {
  Exchange* const exchange = self(data).find(id);
  if (exchange == nullptr || !exchange->body) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  const std::size_t taken = exchange->body->take(to, size);
  exchange->bytes_sent += taken;
  if (taken > 0) exchange->moved = std::chrono::steady_clock::now();
  if (exchange->body->ended() && exchange->body->broken()) {
    // Resets the stream, once it has all that there is.
    if (taken == 0) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  } else if (exchange->body->ended()) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
  } else if (taken == 0) {
    return NGHTTP2_ERR_DEFERRED;
  }
  return static_cast<ssize_t>(taken);
}

void Http2Connection::resume(StreamId id) {
  if (closed_) return;
  nghttp2_session_resume_data(session_, id);
  write_soon();
}

int Http2Connection::on_close(nghttp2_session*, StreamId id, std::uint32_t, void* data) {
  self(data).on_end(id);
  return 0;
}

void Http2Connection::on_end(StreamId id) {
  const auto found = exchanges_.find(id);
  if (found == exchanges_.end()) return;
  log_exchange(found->second);
  exchanges_.erase(found);
  if (exchanges_.empty()) arm_idle();
}

void Http2Connection::log_exchange(Exchange& exchange) {
  if (!exchange.logged) return;
  exchange.logged->status = exchange.status;
  exchange.logged->bytes = exchange.bytes_sent;
  exchange.logged->took = std::chrono::steady_clock::now() - exchange.started;
  context_->site->settings.log.request(*exchange.logged);
  exchange.logged.reset();
}

}  // namespace

void start_http2(std::unique_ptr<Wire> wire, std::string_view received, Peer peer,
                 std::string remote, std::shared_ptr<ConnectionContext> context) {
  // The connection is destroyed on its own thread, whichever thread drops the last reference.
  IoThread& thread = context->thread;
  const std::shared_ptr<Http2Connection> connection(
      new Http2Connection(std::move(wire), std::move(peer), std::move(remote), std::move(context)),
      [&thread](Http2Connection* last) {
        thread.run([owned = std::unique_ptr<Http2Connection>(last)] {});
      });
  connection->begin(received);
}

}  // namespace tabernetes::host

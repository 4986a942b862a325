// The streams of an HTTP/2 connection: requests, answers, and WebSockets.
#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "http2_session.h"
#include "lower_case.h"
#include "request_gate.h"
#include "request_parser.h"
#include "tunnel_connection.h"

namespace tabernetes::host {

namespace {

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

// What the core expects of a WebSocket's opening; over HTTP/2 there is no key, nor is it answered.
constexpr std::string_view kAnyKey = "AAAAAAAAAAAAAAAAAAAAAA==";

}  // namespace

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
  } else if (name == ":protocol") {
    exchange.protocol = value;
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
    if (exchange->pipe) exchange->pipe->end_input();
    self(data).hand_over(frame->hd.stream_id, *exchange);
  }
  return 0;
}

void Http2Connection::on_head(StreamId id, Exchange& exchange, bool with_body) {
  Request& request = exchange.request;
  exchange.headed = true;
  const bool extended = request.method == "CONNECT" && !exchange.protocol.empty();
  if (extended && exchange.protocol == "websocket") ask_for_upgrade(exchange);
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
  } else if (extended && !exchange.upgrades) {
    refusal = text_answer(501, "501 Not Implemented: the protocol " + exchange.protocol);
  } else {
    refusal = refuse_request(request, peer_, exchange.authority, context_->site->settings);
  }
  if (refusal) {
    exchange.refused = exchange.handed_over = true;
    return respond(id, std::move(*refusal));
  }
  if (exchange.upgrades) return hand_over(id, exchange);
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
  if (exchange.pipe) return exchange.pipe->receive(bytes);
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
  if (response.status == 101 && exchange->upgrades)
    return upgrade(id, *exchange, std::move(response));
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
  if (exchange != nullptr && exchange->pipe) {
    const std::size_t sent = exchange->pipe->take(to, size);
    exchange->bytes_sent += sent;
    if (sent == 0 && exchange->pipe->closed()) *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (sent == 0 && !exchange->pipe->closed()) return NGHTTP2_ERR_DEFERRED;
    return static_cast<ssize_t>(sent);
  }
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

// A WebSocket that has ended needs no more of the client.
int Http2Connection::on_sent(nghttp2_session* session, const nghttp2_frame* frame, void* data) {
  if (frame->hd.type != NGHTTP2_DATA || (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) == 0) return 0;
  const Exchange* const exchange = self(data).find(frame->hd.stream_id);
  if (exchange != nullptr && exchange->pipe) {
    nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, frame->hd.stream_id, NGHTTP2_NO_ERROR);
  }
  return 0;
}

int Http2Connection::on_close(nghttp2_session*, StreamId id, std::uint32_t, void* data) {
  self(data).on_end(id);
  return 0;
}

void Http2Connection::on_end(StreamId id) {
  const auto found = exchanges_.find(id);
  if (found == exchanges_.end()) return;
  log_exchange(found->second);
  const std::shared_ptr<WebSocketConnection> websocket = std::move(found->second.websocket);
  exchanges_.erase(found);
  if (websocket) websocket->close();
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

// ---- WebSockets (RFC 8441)

// Makes an extended CONNECT the request that HTTP/1.1 would have brought.
void Http2Connection::ask_for_upgrade(Exchange& exchange) {
  exchange.upgrades = true;
  exchange.request.method = "GET";
  Headers& headers = exchange.request.headers;
  headers.emplace_back("upgrade", exchange.protocol);
  headers.emplace_back("connection", "Upgrade");
  headers.emplace_back("sec-websocket-key", kAnyKey);
}

void Http2Connection::upgrade(StreamId id, Exchange& exchange, Response response) {
  exchange.status = 200;
  const std::string protocol(find_header(response.headers, "Sec-WebSocket-Protocol"));
  Head head;
  head.add(":status", "200");
  if (!protocol.empty()) head.add("sec-websocket-protocol", protocol);
  if (exchange.logged) head.add("audit-id", exchange.logged->audit_id);
  head.add("date", context_->core.date());
  const std::vector<nghttp2_nv> lines = head.lines();
  nghttp2_data_provider body{.source = {.ptr = nullptr}, .read_callback = &read_body};
  nghttp2_submit_response(session_, id, lines.data(), lines.size(), &body);

  exchange.pipe = std::make_shared<Http2Pipe>(wire_->get_executor(), [weak = weak_from_this(), id] {
    if (const auto self = weak.lock()) self->resume(id);
  });
  exchange.pipe->receive(std::exchange(exchange.request.body, {}));
  auto events = std::make_shared<StreamReader>(context_->core, std::move(response.stream));
  const bool tunnelled = response.message_type == MessageType::kNone;
  exchange.websocket =
      tunnelled ? open_tunnel(exchange.pipe, std::move(events), [](std::size_t) {})
                : open_websocket(exchange.pipe, {std::string(kAnyKey), protocol},
                                 response.message_type, std::move(events), [](std::size_t) {});
  if (leaving_) exchange.websocket->shut_down();
  write_soon();
}

void Http2Connection::end_websockets(void (WebSocketConnection::*how)()) {
  std::vector<std::shared_ptr<WebSocketConnection>> open;
  for (const auto& [id, exchange] : exchanges_) {
    if (exchange.websocket) open.push_back(exchange.websocket);
  }
  for (const auto& each : open) ((*each).*how)();
}

}  // namespace tabernetes::host

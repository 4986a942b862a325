// The connection of HTTP/2, by nghttp2, whose server side is in this file and in http2_streams.cc
// alone; etcd/channel is its client.
#include "http2_connection.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/error.hpp>
#include <chrono>
#include <utility>
#include <vector>

#include "http2_session.h"
#include "request_parser.h"

namespace tabernetes::host {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::uint32_t kStreams = 250;            // at a time
constexpr std::int32_t kStreamWindow = 256 << 10;  // of a request's body, as kube-apiserver's
constexpr std::int32_t kConnectionWindow = 16 << 20;
constexpr std::size_t kMostWritten = 256 << 10;         // bytes per write
constexpr std::chrono::milliseconds kHttp2Looks(5000);  // at most, between looks at streams

}  // namespace

// ---- the connection

nghttp2_session_callbacks* Http2Connection::make_callbacks() {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, &on_begin);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, &on_header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, &on_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, &on_data);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, &on_sent);
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
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kHeadLimit},
      {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1}};
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
  end_websockets(&WebSocketConnection::shut_down);
  write_soon();
}

void Http2Connection::close() {
  if (std::exchange(closed_, true)) return;
  for (auto& [id, exchange] : exchanges_) {
    if (exchange.status != 0) log_exchange(exchange);
  }
  end_websockets(&WebSocketConnection::close);
  exchanges_.clear();
  idle_.cancel();
  looks_.cancel();
  wire_->close();
}

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

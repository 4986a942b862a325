// The class of http2_connection.cc and http2_streams.cc, for them only: a connection, and the
// streams on it.
#pragma once

#include <nghttp2/nghttp2.h>

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "connection.h"
#include "http2_body.h"
#include "http2_pipe.h"
#include "log.h"
#include "websocket_connection.h"
#include "wire.h"

namespace tabernetes::host {

inline std::string_view bytes_text(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

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
  using error_code = boost::system::error_code;

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
    // Of an extended CONNECT (RFC 8441).
    std::string protocol;             // ":protocol"
    bool upgrades = false;            // it asks for a WebSocket
    std::shared_ptr<Http2Pipe> pipe;  // what the WebSocket reads and writes
    std::shared_ptr<WebSocketConnection> websocket;
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
  void ask_for_upgrade(Exchange& exchange);
  void upgrade(StreamId id, Exchange& exchange, Response response);
  void end_websockets(void (WebSocketConnection::*how)());
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
  static int on_sent(nghttp2_session* session, const nghttp2_frame* frame, void* data);
  static int on_close(nghttp2_session* session, StreamId id, std::uint32_t error, void* data);
  static ssize_t read_body(nghttp2_session* session, StreamId id, std::uint8_t* to,
                           std::size_t size, std::uint32_t* flags, nghttp2_data_source* source,
                           void* data);

  std::shared_ptr<ConnectionContext> context_;
  std::unique_ptr<Wire> wire_;
  Peer peer_;
  std::string remote_;
  boost::asio::steady_timer idle_;   // without requests
  boost::asio::steady_timer looks_;  // at those that there are
  nghttp2_session* session_ = nullptr;
  std::map<StreamId, Exchange> exchanges_;
  std::vector<char> in_ = std::vector<char>(32 << 10);
  std::string out_;
  bool writing_ = false, posted_ = false, closed_ = false, leaving_ = false;
};

}  // namespace tabernetes::host

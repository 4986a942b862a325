// The only file that includes Beast's WebSocket.
#include "websocket_connection.h"

#include <array>
#include <boost/asio/post.hpp>
#include <boost/asio/prepend.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <boost/beast/websocket/teardown.hpp>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace tabernetes::host {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using boost::system::error_code;

// Beast closes what is below a WebSocket by these.
void teardown(beast::role_type role, Wire& wire, error_code& error) {
  websocket::teardown(role, wire.socket(), error);
}

template <class Handler>
void async_teardown(beast::role_type role, Wire& wire, Handler&& handler) {
  websocket::async_teardown(role, wire.socket(), std::forward<Handler>(handler));
}

void teardown(beast::role_type, Http2Pipe& pipe, error_code& error) {
  pipe.close();
  error = {};
}

template <class Handler>
void async_teardown(beast::role_type, Http2Pipe& pipe, Handler&& handler) {
  pipe.close();
  asio::post(pipe.get_executor(), asio::prepend(std::forward<Handler>(handler), error_code()));
}

namespace {

constexpr std::size_t kLargestMessage = 1 << 20;

constexpr std::chrono::seconds kCloseTime(2);  // for the peer's close frame
// How long the channels of a container are silent at first. client-go makes its streams after the
// handshake, and loses what comes before.
constexpr std::chrono::milliseconds kFirstSilence(20);
constexpr std::chrono::minutes kStallTime(
    10);  // per message; long, as a debugger may hold a client

// `Layer`: Wire or Http2Pipe.
template <class Layer>
class BeastWebSocket final : public WebSocketConnection,
                             public std::enable_shared_from_this<BeastWebSocket<Layer>> {
 public:
  BeastWebSocket(std::shared_ptr<Layer> wire, MessageType type,
                 std::shared_ptr<StreamReader> events, std::function<void(std::size_t)> on_closed)
      : wire_(std::move(wire)),
        stream_(*wire_),
        stall_(stream_.get_executor()),
        events_(std::move(events)),
        on_closed_(std::move(on_closed)) {
    stream_.auto_fragment(false);  // so that a message is written from the core's bytes
    stream_.binary(type == MessageType::kBinary);
    stream_.read_message_max(0);  // no limit: what is too large is dropped
    stream_.set_option(websocket::stream_base::timeout{kCloseTime, websocket::stream_base::none(),
                                                       /*keep_alive_pings=*/false});
  }

  ~BeastWebSocket() override {
    if (events_) events_->close();
  }

  void accept(const WebSocketHandshake& handshake);
  void shut_down() override;
  void close() override;

 private:
  void on_open(error_code error);
  void read();
  void take(std::string_view piece);
  void pull();
  void send_unit(Rope unit, bool ended);
  void send_next();
  void say_goodbye(websocket::close_code code);
  void end();

  // Returns this object, kept alive by what keeps the result.
  std::shared_ptr<BeastWebSocket> self() { return this->shared_from_this(); }

  std::shared_ptr<Layer> wire_;
  websocket::stream<Layer&, /*deflateSupported=*/false> stream_;
  asio::steady_timer stall_;
  std::shared_ptr<StreamReader> events_;  // null when nothing more is sent
  std::function<void(std::size_t)> on_closed_;
  std::array<char, 4096> piece_;  // of a message of the peer
  std::string message_;           // what has arrived of it
  bool too_large_ = false;        // it is dropped

  Rope unit_;  // the message being sent
  std::size_t next_ = 0;
  bool last_ = false;        // the stream has ended
  bool breaks_off_ = false;  // and before its end
  bool open_ = false;
  bool has_channels_ = false;  // those of a container
  bool stopping_ = false;
  std::size_t bytes_sent_ = 0;
};

// The core has checked the request. Beast gets a minimal one with the headers that it reads.
template <class Layer>
void BeastWebSocket<Layer>::accept(const WebSocketHandshake& handshake) {
  has_channels_ = handshake.protocol.find("channel.k8s.io") != std::string::npos;
  http::request<http::empty_body> request(http::verb::get, "/", 11);
  request.set(http::field::host, "localhost");
  request.set(http::field::connection, "Upgrade");
  request.set(http::field::upgrade, "websocket");
  request.set(http::field::sec_websocket_version, "13");
  request.set(http::field::sec_websocket_key, handshake.key);
  stream_.set_option(websocket::stream_base::decorator(
      [protocol = handshake.protocol](websocket::response_type& response) {
        response.set(http::field::server, "tabernetes");  // otherwise Beast sets its own name
        response.set(http::field::connection, "Upgrade");
        if (!protocol.empty()) response.set(http::field::sec_websocket_protocol, protocol);
      }));
  stream_.async_accept(request, [self = self()](error_code error) { self->on_open(error); });
}

template <class Layer>
void BeastWebSocket<Layer>::on_open(error_code error) {
  if (error) return end();
  open_ = true;
  read();
  if (stopping_) return say_goodbye(websocket::close_code::going_away);
  if (!has_channels_) return pull();
  stall_.expires_after(kFirstSilence);
  stall_.async_wait([weak = this->weak_from_this()](error_code failed) {
    const auto self = weak.lock();
    if (!failed && self && self->events_) self->pull();
  });
}

// Reads as long as the connection lasts, which also answers pings and detects the end.
template <class Layer>
void BeastWebSocket<Layer>::read() {
  stream_.async_read_some(asio::buffer(piece_),
                          [self = self()](error_code error, std::size_t size) {
                            if (error) return self->end();
                            self->take({self->piece_.data(), size});
                            self->read();
                          });
}

// Passes a message on when it is complete, unless it is too large.
template <class Layer>
void BeastWebSocket<Layer>::take(std::string_view piece) {
  too_large_ = too_large_ || message_.size() + piece.size() > kLargestMessage;
  if (!too_large_) message_.append(piece);
  if (!stream_.is_message_done()) return;
  if (!std::exchange(too_large_, false) && events_) events_->receive(message_);
  message_ = std::string();
}

template <class Layer>
void BeastWebSocket<Layer>::pull() {
  events_->read(
      [self = self()](Rope unit, bool ended) { self->send_unit(std::move(unit), ended); });
}

template <class Layer>
void BeastWebSocket<Layer>::send_unit(Rope unit, bool ended) {
  if (!events_) return;  // closed meanwhile
  unit_ = std::move(unit);
  next_ = 0;
  last_ = ended;
  breaks_off_ = ended && events_->broken();
  stall_.expires_after(kStallTime);
  stall_.async_wait([weak = this->weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (!error && self) self->close();
  });
  send_next();
}

template <class Layer>
void BeastWebSocket<Layer>::send_next() {
  if (next_ == unit_.slices().size()) {
    unit_ = Rope();
    stall_.cancel();
    if (last_ && breaks_off_) return close();
    if (last_) return say_goodbye(websocket::close_code::normal);
    return pull();
  }
  const std::string_view message = unit_.slices()[next_++].view();
  stream_.async_write(asio::buffer(message.data(), message.size()),
                      [self = self()](error_code error, std::size_t bytes) {
                        if (error) return self->close();
                        self->bytes_sent_ += bytes;
                        if (self->events_) self->send_next();
                      });
}

template <class Layer>
void BeastWebSocket<Layer>::say_goodbye(websocket::close_code code) {
  if (!events_) return;
  events_->close();
  events_.reset();
  stream_.async_close(code, [self = self()](error_code error) {
    if (error) self->close();
  });
}

template <class Layer>
void BeastWebSocket<Layer>::shut_down() {
  stopping_ = true;
  if (open_) say_goodbye(websocket::close_code::going_away);
}

// Makes every operation under way fail, which leads to end().
template <class Layer>
void BeastWebSocket<Layer>::close() {
  wire_->close();
}

template <class Layer>
void BeastWebSocket<Layer>::end() {
  close();
  stall_.cancel();
  if (events_) events_->close();
  events_.reset();
  if (const auto on_closed = std::exchange(on_closed_, nullptr)) on_closed(bytes_sent_);
}

}  // namespace

std::shared_ptr<WebSocketConnection> open_websocket(
    std::shared_ptr<Wire> wire, const WebSocketHandshake& handshake, MessageType type,
    std::shared_ptr<StreamReader> events, std::function<void(std::size_t bytes)> on_closed) {
  wire->expires_never();
  const auto connection = std::make_shared<BeastWebSocket<Wire>>(
      std::move(wire), type, std::move(events), std::move(on_closed));
  connection->accept(handshake);
  return connection;
}

std::shared_ptr<WebSocketConnection> open_websocket(
    std::shared_ptr<Http2Pipe> pipe, const WebSocketHandshake& handshake, MessageType type,
    std::shared_ptr<StreamReader> events, std::function<void(std::size_t bytes)> on_closed) {
  const auto connection = std::make_shared<BeastWebSocket<Http2Pipe>>(
      std::move(pipe), type, std::move(events), std::move(on_closed));
  connection->accept(handshake);
  return connection;
}

}  // namespace tabernetes::host

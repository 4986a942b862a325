// The only file that includes Beast's WebSocket.
#include "websocket_connection.h"

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/stream_traits.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <chrono>
#include <utility>

namespace tabernetes::host {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds kCloseTime(2);  // for the peer's close frame
constexpr std::chrono::minutes kStallTime(
    10);  // per message; long, as a debugger may hold a client

class BeastWebSocket final : public WebSocketConnection,
                             public std::enable_shared_from_this<BeastWebSocket> {
 public:
  BeastWebSocket(tcp::socket socket, MessageType type, std::shared_ptr<StreamReader> events,
                 std::function<void(std::size_t)> on_closed)
      : stream_(std::move(socket)),
        stall_(stream_.get_executor()),
        events_(std::move(events)),
        on_closed_(std::move(on_closed)) {
    stream_.auto_fragment(false);  // so that a message is written from the core's bytes
    stream_.binary(type == MessageType::kBinary);
    stream_.read_message_max(0);  // no limit: nothing of a message is kept
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
  void pull();
  void send_unit(Rope unit, bool ended);
  void send_next();
  void say_goodbye(websocket::close_code code);
  void end();

  websocket::stream<tcp::socket, /*deflateSupported=*/false> stream_;
  asio::steady_timer stall_;
  std::shared_ptr<StreamReader> events_;  // null when nothing more is sent
  std::function<void(std::size_t)> on_closed_;
  std::array<char, 512> ignored_;  // the peer's messages

  Rope unit_;  // the message being sent
  std::size_t next_ = 0;
  bool last_ = false;  // the stream has ended
  bool open_ = false;
  bool stopping_ = false;
  std::size_t bytes_sent_ = 0;
};

// The core has checked the request. Beast gets a minimal one with the headers that it reads.
void BeastWebSocket::accept(const WebSocketHandshake& handshake) {
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
  stream_.async_accept(request,
                       [self = shared_from_this()](error_code error) { self->on_open(error); });
}

void BeastWebSocket::on_open(error_code error) {
  if (error) return end();
  open_ = true;
  read();
  if (stopping_) return say_goodbye(websocket::close_code::going_away);
  pull();
}

// Reads as long as the connection lasts, which also answers pings and detects the end.
void BeastWebSocket::read() {
  stream_.async_read_some(asio::buffer(ignored_),
                          [self = shared_from_this()](error_code error, std::size_t) {
                            if (error) return self->end();
                            self->read();
                          });
}

void BeastWebSocket::pull() {
  events_->read([self = shared_from_this()](Rope unit, bool ended) {
    self->send_unit(std::move(unit), ended);
  });
}

void BeastWebSocket::send_unit(Rope unit, bool ended) {
  if (!events_) return;  // closed meanwhile
  unit_ = std::move(unit);
  next_ = 0;
  last_ = ended;
  stall_.expires_after(kStallTime);
  stall_.async_wait([weak = weak_from_this()](error_code error) {
    const auto self = weak.lock();
    if (!error && self) self->close();
  });
  send_next();
}

void BeastWebSocket::send_next() {
  if (next_ == unit_.slices().size()) {
    unit_ = Rope();
    stall_.cancel();
    if (last_) return say_goodbye(websocket::close_code::normal);
    return pull();
  }
  const std::string_view message = unit_.slices()[next_++].view();
  stream_.async_write(asio::buffer(message.data(), message.size()),
                      [self = shared_from_this()](error_code error, std::size_t bytes) {
                        if (error) return self->close();
                        self->bytes_sent_ += bytes;
                        if (self->events_) self->send_next();
                      });
}

void BeastWebSocket::say_goodbye(websocket::close_code code) {
  if (!events_) return;
  events_->close();
  events_.reset();
  stream_.async_close(code, [self = shared_from_this()](error_code error) {
    if (error) self->close();
  });
}

void BeastWebSocket::shut_down() {
  stopping_ = true;
  if (open_) say_goodbye(websocket::close_code::going_away);
}

// Makes every operation under way fail, which leads to end().
void BeastWebSocket::close() {
  error_code ignored;
  beast::get_lowest_layer(stream_).close(ignored);
}

void BeastWebSocket::end() {
  close();
  stall_.cancel();
  if (events_) events_->close();
  events_.reset();
  if (const auto on_closed = std::exchange(on_closed_, nullptr)) on_closed(bytes_sent_);
}

}  // namespace

std::shared_ptr<WebSocketConnection> open_websocket(
    tcp::socket socket, const WebSocketHandshake& handshake, MessageType type,
    std::shared_ptr<StreamReader> events, std::function<void(std::size_t bytes)> on_closed) {
  const auto connection = std::make_shared<BeastWebSocket>(std::move(socket), type,
                                                           std::move(events), std::move(on_closed));
  connection->accept(handshake);
  return connection;
}

}  // namespace tabernetes::host

#include "tunnel_connection.h"

#include <array>
#include <boost/asio/write.hpp>
#include <chrono>
#include <string_view>
#include <utility>
#include <vector>

namespace tabernetes::host {

namespace asio = boost::asio;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds kLastTime(2);  // for the last bytes and for the peer's end

constexpr std::chrono::minutes kTunnelStall(10);  // without a byte that the peer takes

// Ends our side of a connection; what the peer still sends is read, so that it gets the last bytes.
void end_output(Wire& wire) {
  error_code ignored;
  wire.expires_after(kLastTime);
  wire.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
}

void end_output(Http2Pipe& pipe) { pipe.close(); }

// Limits the operations that begin from now on.
void limit_write(Wire& wire) { wire.expires_after(kTunnelStall); }
void limit_write(Http2Pipe&) {}

// `Layer`: Wire or Http2Pipe.
template <class Layer>
class Tunnel final : public WebSocketConnection,
                     public std::enable_shared_from_this<Tunnel<Layer>> {
 public:
  Tunnel(std::shared_ptr<Layer> wire, std::string head, std::shared_ptr<StreamReader> stream,
         std::function<void(std::size_t)> on_closed)
      : wire_(std::move(wire)),
        head_(std::move(head)),
        stream_(std::move(stream)),
        on_closed_(std::move(on_closed)) {}

  ~Tunnel() override {
    if (stream_) stream_->close();
  }

  void begin() {
    read();  // before the first write, whose limit is not that of reading
    buffers_ = {asio::const_buffer(head_.data(), head_.size())};
    write();
  }
  void shut_down() override { close(); }
  void close() override { wire_->close(); }

 private:
  void read() {
    wire_->async_read_some(asio::buffer(piece_),
                           [self = self()](error_code error, std::size_t size) {
                             if (error) return self->end();
                             if (self->stream_) {
                               self->stream_->receive({self->piece_.data(), size});
                             }
                             self->read();
                           });
  }

  void pull() {
    stream_->read([self = self()](const Rope& unit, bool ended) {
      if (!self->stream_) return;  // closed meanwhile
      self->unit_ = unit;
      self->last_ = ended;
      self->buffers_.clear();
      for (const Slice& slice : self->unit_.slices()) {
        self->buffers_.emplace_back(slice.view().data(), slice.view().size());
      }
      self->write();
    });
  }

  void write() {
    limit_write(*wire_);
    asio::async_write(*wire_, buffers_, [self = self()](error_code error, std::size_t size) {
      self->bytes_sent_ += size;
      if (error) return self->close();
      if (self->last_) return end_output(*self->wire_);
      if (self->stream_) self->pull();
    });
  }

  void end() {
    close();
    if (stream_) stream_->close();
    stream_.reset();
    if (const auto on_closed = std::exchange(on_closed_, nullptr)) on_closed(bytes_sent_);
  }

  std::shared_ptr<Tunnel> self() { return this->shared_from_this(); }

  std::shared_ptr<Layer> wire_;
  std::string head_;
  std::shared_ptr<StreamReader> stream_;  // null when nothing more is sent
  std::function<void(std::size_t)> on_closed_;
  std::array<char, 16384> piece_;
  Rope unit_;
  std::vector<asio::const_buffer> buffers_;
  bool last_ = false;
  std::size_t bytes_sent_ = 0;
};

}  // namespace

std::shared_ptr<WebSocketConnection> open_tunnel(std::shared_ptr<Wire> wire, std::string head,
                                                 std::shared_ptr<StreamReader> stream,
                                                 std::function<void(std::size_t bytes)> on_closed) {
  wire->expires_never();
  const auto tunnel = std::make_shared<Tunnel<Wire>>(std::move(wire), std::move(head),
                                                     std::move(stream), std::move(on_closed));
  tunnel->begin();
  return tunnel;
}

std::shared_ptr<WebSocketConnection> open_tunnel(std::shared_ptr<Http2Pipe> pipe,
                                                 std::shared_ptr<StreamReader> stream,
                                                 std::function<void(std::size_t bytes)> on_closed) {
  const auto tunnel = std::make_shared<Tunnel<Http2Pipe>>(std::move(pipe), "\r\n\r\n",
                                                          std::move(stream), std::move(on_closed));
  tunnel->begin();
  return tunnel;
}

}  // namespace tabernetes::host

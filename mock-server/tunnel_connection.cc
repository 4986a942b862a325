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

class Tunnel final : public WebSocketConnection, public std::enable_shared_from_this<Tunnel> {
 public:
  Tunnel(std::unique_ptr<Wire> wire, std::string head, std::shared_ptr<StreamReader> stream,
         std::function<void(std::size_t)> on_closed)
      : wire_(std::move(wire)),
        head_(std::move(head)),
        stream_(std::move(stream)),
        on_closed_(std::move(on_closed)) {
    wire_->expires_never();
  }

  ~Tunnel() override {
    if (stream_) stream_->close();
  }

  void begin() {
    buffers_ = {asio::const_buffer(head_.data(), head_.size())};
    write();
    read();
  }
  void shut_down() override { close(); }
  void close() override { wire_->close(); }

 private:
  void read() {
    wire_->async_read_some(asio::buffer(piece_),
                           [self = shared_from_this()](error_code error, std::size_t size) {
                             if (error) return self->end();
                             if (self->stream_) {
                               self->stream_->receive({self->piece_.data(), size});
                             }
                             self->read();
                           });
  }

  void pull() {
    stream_->read([self = shared_from_this()](Rope unit, bool ended) {
      if (!self->stream_) return;  // closed meanwhile
      self->unit_ = std::move(unit);
      self->last_ = ended;
      self->buffers_.clear();
      for (const Slice& slice : self->unit_.slices()) {
        self->buffers_.emplace_back(slice.view().data(), slice.view().size());
      }
      self->write();
    });
  }

  void write() {
    asio::async_write(*wire_, buffers_,
                      [self = shared_from_this()](error_code error, std::size_t size) {
                        self->bytes_sent_ += size;
                        if (error) return self->close();
                        if (self->last_) return self->say_goodbye();
                        if (self->stream_) self->pull();
                      });
  }

  // Ends our side; what the peer still sends is read, so that it gets the last bytes.
  void say_goodbye() {
    error_code ignored;
    wire_->expires_after(kLastTime);
    wire_->socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  }

  void end() {
    close();
    if (stream_) stream_->close();
    stream_.reset();
    if (const auto on_closed = std::exchange(on_closed_, nullptr)) on_closed(bytes_sent_);
  }

  std::unique_ptr<Wire> wire_;
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

std::shared_ptr<WebSocketConnection> open_tunnel(std::unique_ptr<Wire> wire, std::string head,
                                                 std::shared_ptr<StreamReader> stream,
                                                 std::function<void(std::size_t bytes)> on_closed) {
  const auto tunnel = std::make_shared<Tunnel>(std::move(wire), std::move(head), std::move(stream),
                                               std::move(on_closed));
  tunnel->begin();
  return tunnel;
}

}  // namespace tabernetes::host

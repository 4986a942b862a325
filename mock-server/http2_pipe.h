// The bytes both ways of an HTTP/2 stream that was connected to something (RFC 8441), as Asio's
// AsyncStream: a WebSocket reads and writes it as it would a connection.
//
// Lives on the connection's thread.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tabernetes::host {

class Http2Pipe {
 public:
  using executor_type = boost::beast::tcp_stream::executor_type;
  using error_code = boost::system::error_code;
  using OnBytes = std::function<void(error_code, std::size_t)>;

  // Calls `on_more` whenever take() has bytes again, or is at the end, after it had none.
  Http2Pipe(executor_type executor, std::function<void()> on_more)
      : executor_(std::move(executor)), on_more_(std::move(on_more)) {}
  ~Http2Pipe() { close(); }
  Http2Pipe(const Http2Pipe&) = delete;
  Http2Pipe& operator=(const Http2Pipe&) = delete;

  // The side of HTTP/2: what the client has sent, and its end; what it is to get.
  void receive(std::string_view bytes);
  void end_input();
  std::size_t take(std::uint8_t* to, std::size_t size);
  bool closed() const { return closed_; }

  // The other side.
  executor_type get_executor() { return executor_; }
  void close();

  template <class Buffers, class Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    const auto begin = boost::asio::buffer_sequence_begin(buffers);
    const auto end = boost::asio::buffer_sequence_end(buffers);
    boost::asio::mutable_buffer first;
    for (auto each = begin; each != end && first.size() == 0; ++each) first = *each;
    read(first, erase(std::forward<Handler>(handler)));
  }

  template <class Buffers, class Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    std::string bytes;
    for (auto each = boost::asio::buffer_sequence_begin(buffers);
         each != boost::asio::buffer_sequence_end(buffers); ++each) {
      const boost::asio::const_buffer part = *each;
      const std::size_t size = std::min(part.size(), kPiece - bytes.size());
      bytes.append(static_cast<const char*>(part.data()), size);
    }
    write(std::move(bytes), erase(std::forward<Handler>(handler)));
  }

 private:
  static constexpr std::size_t kPiece = 64 * 1024;  // most bytes of a write

  template <class Handler>
  static OnBytes erase(Handler&& handler) {
    auto owned = std::make_shared<std::decay_t<Handler>>(std::forward<Handler>(handler));
    return [owned = std::move(owned)](error_code error, std::size_t bytes) mutable {
      const auto last = std::exchange(owned, nullptr);
      (*last)(error, bytes);
    };
  }
  void read(boost::asio::mutable_buffer to, OnBytes done);
  void write(std::string bytes, OnBytes done);
  void fill();
  void finish(OnBytes& done, error_code error, std::size_t bytes);

  const executor_type executor_;
  const std::function<void()> on_more_;
  std::string in_;                  // not read yet
  boost::asio::mutable_buffer to_;  // where the read under way puts bytes
  OnBytes on_read_;                 // null: none is under way
  std::string out_;                 // of the write under way, not taken yet
  std::size_t writing_ = 0;         // all of its bytes
  OnBytes on_written_;
  bool input_ended_ = false;
  bool opened_ = false;  // the answer of HTTP/1.1 with which a WebSocket begins was dropped
  std::string opening_;  // what came of it
  bool closed_ = false;
};

// Beast closes what takes too long by this.
inline void beast_close_socket(Http2Pipe& pipe) { pipe.close(); }

}  // namespace tabernetes::host

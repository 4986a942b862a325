// The bytes of a connection: TCP, or TLS over it. Models Asio's AsyncStream, so that whatever reads
// and writes need not know which of the two it is.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace tabernetes::host {

class Wire {
 public:
  using executor_type = boost::beast::tcp_stream::executor_type;
  using error_code = boost::system::error_code;
  using OnBytes = std::function<void(error_code, std::size_t)>;
  using OnDone = std::function<void(error_code)>;

  // `tls` is null for plain TCP, and outlives the wire. `place` is kept as long as the socket is.
  Wire(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context* tls,
       std::shared_ptr<void> place);
  ~Wire();
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  executor_type get_executor() { return tcp_.get_executor(); }
  boost::asio::ip::tcp::socket& socket() { return tcp_.socket(); }
  bool secure() const { return tls_ != nullptr; }

  // Of TLS alone: the handshake, the end, and what OpenSSL knows.
  void shake_hands(OnDone done);
  void say_goodbye(OnDone done);
  SSL* tls();

  // The time that the operations begun from now on may take.
  void expires_after(std::chrono::steady_clock::duration time) { tcp_.expires_after(time); }
  void expires_never() { tcp_.expires_never(); }

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
    Pieces pieces;
    std::size_t count = 0;
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (auto each = boost::asio::buffer_sequence_begin(buffers);
         each != end && count < pieces.size(); ++each) {
      if (boost::asio::const_buffer(*each).size() > 0) pieces[count++] = *each;
    }
    write(pieces, erase(std::forward<Handler>(handler)));
  }

  // Writes what the system takes at once; of TLS nothing (would_block).
  template <class Buffers>
  std::size_t write_now(const Buffers& buffers, error_code& error) {
    if (!secure()) return tcp_.socket().write_some(buffers, error);
    error = boost::asio::error::would_block;
    return 0;
  }

  void close();

 private:
  struct Tls;
  using Pieces = std::array<boost::asio::const_buffer, 16>;  // those at the end are empty

  // Handlers of one type, so that the operations below are compiled once. They are called on the
  // wire's own executor, which is that of everything here.
  template <class Handler>
  static OnBytes erase(Handler&& handler) {
    auto owned = std::make_shared<std::decay_t<Handler>>(std::forward<Handler>(handler));
    return [owned = std::move(owned)](error_code error, std::size_t bytes) mutable {
      const auto last = std::exchange(owned, nullptr);
      (*last)(error, bytes);
    };
  }
  void read(boost::asio::mutable_buffer to, OnBytes done);
  void write(const Pieces& pieces, OnBytes done);

  const std::shared_ptr<void> place_;
  boost::beast::tcp_stream tcp_;
  std::unique_ptr<Tls> tls_;
};

// Beast closes a stream that takes too long by this.
inline void beast_close_socket(Wire& wire) { wire.close(); }

}  // namespace tabernetes::host

#include "wire.h"

#include <boost/asio/ssl/stream.hpp>

namespace tabernetes::host {

namespace asio = boost::asio;

struct Wire::Tls {
  asio::ssl::stream<boost::beast::tcp_stream&> stream;
};

Wire::Wire(asio::ip::tcp::socket socket, asio::ssl::context* tls, std::shared_ptr<void> place)
    : place_(std::move(place)), tcp_(std::move(socket)) {
  if (tls != nullptr) {
    tls_.reset(new Tls{asio::ssl::stream<boost::beast::tcp_stream&>(tcp_, *tls)});
  }
}

Wire::~Wire() = default;

void Wire::shake_hands(OnDone done) {
  tls_->stream.async_handshake(asio::ssl::stream_base::server, std::move(done));
}

void Wire::say_goodbye(OnDone done) { tls_->stream.async_shutdown(std::move(done)); }

SSL* Wire::tls() { return tls_->stream.native_handle(); }

void Wire::read(asio::mutable_buffer to, OnBytes done) {
  if (tls_) return tls_->stream.async_read_some(to, std::move(done));
  tcp_.async_read_some(to, std::move(done));
}

void Wire::write(const Pieces& pieces, OnBytes done) {
  if (tls_) return tls_->stream.async_write_some(pieces, std::move(done));
  tcp_.async_write_some(pieces, std::move(done));
}

void Wire::close() {
  error_code ignored;
  tcp_.socket().shutdown(asio::ip::tcp::socket::shutdown_both, ignored);
  tcp_.close();
}

}  // namespace tabernetes::host

// What a connection is before and after its requests: who the client is, what it speaks, and the
// end.
#include "http_connection.h"

#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include <boost/beast/core/error.hpp>
#include <string>
#include <utility>

#include "http2_connection.h"
#include "http_exchange.h"
#include "tls_server.h"

namespace tabernetes::host {

namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using boost::system::error_code;

namespace {

constexpr std::chrono::seconds kGoodbyeTime(1);
constexpr int kAliveSeconds = 180;  // between probes of a silent peer, as kube-apiserver's

// What a client of HTTP/2 sends first (RFC 9113, section 3.4).
constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

std::string to_text(const tcp::endpoint& endpoint) {
  return to_string(ListenAddress{endpoint.address().to_string(), endpoint.port()});
}

// Returns true for a Unix socket, whose ends have no addresses.
bool is_unix(int socket) {
  sockaddr_storage name{};
  socklen_t size = sizeof name;
  return ::getsockname(socket, reinterpret_cast<sockaddr*>(&name), &size) == 0 &&
         name.ss_family == AF_UNIX;
}

// A peer that vanished without a word is noticed after some minutes.
void probe_silent_peer(int socket) {
  const int on = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &kAliveSeconds, sizeof kAliveSeconds);
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPINTVL, &kAliveSeconds, sizeof kAliveSeconds);
}

}  // namespace

HttpConnection::HttpConnection(tcp::socket socket, std::shared_ptr<void> place,
                               std::shared_ptr<ConnectionContext> context)
    : context_(std::move(context)),
      tls_(context_->site->tls()),
      wire_(std::make_unique<Wire>(std::move(socket), tls_ ? &tls_->context() : nullptr,
                                   std::move(place))) {
  error_code ignored;
  tcp::socket& own = wire_->socket();
  own.non_blocking(true, ignored);  // see write_buffers
  context_->add(*this);
  if (is_unix(own.native_handle())) {
    remote_ = "unix";
    return;
  }
  own.set_option(tcp::no_delay(true), ignored);
  probe_silent_peer(own.native_handle());
  peer_.local_address = to_text(own.local_endpoint(ignored));
  const tcp::endpoint remote = own.remote_endpoint(ignored);
  remote_ = to_text(remote);
  peer_.remote_address = remote.address().to_string();
}

HttpConnection::~HttpConnection() {
  if (reader_) reader_->close();
  context_->remove(*this);
}

// ---- getting to know the client

void HttpConnection::begin() {
  if (context_->stopping) return close();
  if (wire_->secure()) return shake_hands();
  read_first();
}

void HttpConnection::shake_hands() {
  wire_->expires_after(limits().head);
  wire_->shake_hands([self = shared_from_this()](error_code error) { self->on_handshake(error); });
}

void HttpConnection::on_handshake(error_code error) {
  if (phase_ == Phase::kClosed) return;
  if (error.category() == asio::error::get_ssl_category() &&
      ERR_GET_REASON(error.value()) == SSL_R_HTTP_REQUEST) {
    // What Go's server tells a client that speaks no TLS.
    error_code ignored;
    wire_->socket().write_some(
        to_buffer(
            "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n"),
        ignored);
  }
  if (error) {
    ++context_->site->settings.counts->failed_handshakes;
    return drop(error, Dropped::kHandshake);
  }
  SSL* const tls = wire_->tls();
  peer_.certificate = tls_->certificate_of(tls);
  if (speaks_http2(tls)) return speak_http2();
  read_head();
}

// Looks whether the client begins with HTTP/2, as it may without TLS if it knows that we speak it.
void HttpConnection::read_first() {
  wire_->expires_after(limits().head);
  wire_->async_read_some(buffer_.prepare(kFirstRead), [self = shared_from_this()](
                                                          error_code error, std::size_t bytes) {
    if (self->phase_ == Phase::kClosed) return;
    if (error) return self->drop(error, Dropped::kHead);
    self->buffer_.commit(bytes);
    const auto data = self->buffer_.cdata();
    const std::string_view sent(static_cast<const char*>(data.data()), data.size());
    if (sent.starts_with(kPreface)) return self->speak_http2();
    if (kPreface.starts_with(sent)) return self->read_first();
    self->read_head();
  });
}

// Hands the connection over and ends with it.
void HttpConnection::speak_http2() {
  const auto data = buffer_.cdata();
  start_http2(std::move(wire_), {static_cast<const char*>(data.data()), data.size()}, peer_,
              remote_, context_);
  phase_ = Phase::kClosed;
}

// ---- the end

// Closes. Over TLS the client is told, as otherwise somebody could have cut the answer off.
void HttpConnection::say_goodbye() {
  if (!wire_->secure() || watching_peer_) return close();
  phase_ = Phase::kReading;
  wire_->expires_after(kGoodbyeTime);
  wire_->say_goodbye([self = shared_from_this()](error_code) { self->close(); });
}

// Closes after a failed operation, which may have taken too long.
void HttpConnection::drop(error_code error, Dropped if_late) {
  if (error == boost::beast::error::timeout) context_->site->settings.counts->drop(if_late);
  close();
}

void HttpConnection::shut_down() {
  if (websocket_) return websocket_->shut_down();
  if (phase_ == Phase::kReading) return close();
  options_.keep_alive = false;
  if (phase_ == Phase::kStreaming && !writing_ && !compressing_ && !reader_->finite()) {
    reader_->close();
    write_unit(Rope(), true);
  }
}

void HttpConnection::close() {
  if (websocket_) return websocket_->close();
  if (phase_ == Phase::kStreaming) log_exchange();
  phase_ = Phase::kClosed;
  if (reader_) {
    reader_->close();
    reader_.reset();
  }
  if (wire_) wire_->close();
}

void HttpConnection::log_exchange() {
  if (!logged_) return;
  logged_->status = status_;
  logged_->bytes = bytes_sent_;
  logged_->took = std::chrono::steady_clock::now() - started_;
  context_->site->settings.log.request(*logged_);
  logged_.reset();
}

void start_connection(tcp::socket socket, std::shared_ptr<void> place,
                      std::shared_ptr<ConnectionContext> context) {
  // The connection is destroyed on its own thread, whichever thread drops the last reference.
  IoThread& thread = context->thread;
  const std::shared_ptr<HttpConnection> connection(
      new HttpConnection(std::move(socket), std::move(place), std::move(context)),
      [&thread](HttpConnection* last) {
        thread.run([owned = std::unique_ptr<HttpConnection>(last)] {});
      });
  connection->begin();
}

}  // namespace tabernetes::host

#include "network_fault.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/beast/http/error.hpp>
#include <string_view>

#include "listen_address.h"
#include "lower_case.h"

namespace tabernetes::host {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::string_view kAlert = "alert ";

std::string endpoint_text(const tcp::endpoint& endpoint) {
  return to_string(ListenAddress{endpoint.address().to_string(), endpoint.port()});
}

// Returns Go's text for a system error: the C library's in lower case.
std::string system_words(const error_code& error) { return lower_case(error.message()); }

bool is_end(const error_code& error) {
  return error == asio::error::eof || error == asio::ssl::error::stream_truncated ||
         error == http::error::end_of_stream;
}

// Maps OpenSSL's "sslv3 alert handshake failure" to Go's "remote error: tls: handshake failure".
std::string tls_fault(const error_code& error) {
  const auto code = static_cast<unsigned long>(error.value());
  if (ERR_GET_REASON(code) == SSL_R_WRONG_VERSION_NUMBER) {
    return "http: server gave HTTP response to HTTPS client";
  }
  const char* words = ERR_reason_error_string(code);
  const std::string_view reason = words == nullptr ? "unknown error" : words;
  const std::size_t alert = reason.find(kAlert);
  if (alert == std::string_view::npos) return "tls: " + std::string(reason);
  const std::string_view told = reason.substr(alert + kAlert.size());
  return "remote error: tls: " + std::string(told) +
         (told == "protocol version" ? " not supported" : "");
}

}  // namespace

std::string dial_fault(const tcp::endpoint& to, const error_code& error) {
  return "dial tcp " + endpoint_text(to) + ": connect: " + system_words(error);
}

std::string lookup_fault(const std::string& host) {
  return "dial tcp: lookup " + host + ": no such host";
}

std::string ends_of(const tcp::socket& socket) {
  error_code ignored;
  return endpoint_text(socket.local_endpoint(ignored)) + "->" +
         endpoint_text(socket.remote_endpoint(ignored));
}

std::string connection_fault(const std::string& ends, const error_code& error) {
  if (is_end(error)) return "EOF";
  if (error == http::error::partial_message) return "unexpected EOF";
  if (error.category() == asio::error::get_ssl_category()) return tls_fault(error);
  if (error.category() == make_error_code(http::error::end_of_stream).category()) {
    return "net/http: HTTP/1.x transport connection broken: malformed HTTP response";
  }
  return "read tcp " + ends + ": read: " + system_words(error);
}

std::string body_fault(const std::string& ends, const error_code& error) {
  if (is_end(error) || error == http::error::partial_message) return "unexpected EOF";
  if (error == http::error::body_limit) return "http: response body too large";
  if (error.category() == make_error_code(http::error::end_of_stream).category()) {
    return "invalid byte in chunk length";
  }
  return connection_fault(ends, error);
}

}  // namespace tabernetes::host

#include "tls_dial.h"

#include <boost/asio/connect.hpp>
#include <chrono>
#include <utility>

#include "network_fault.h"
#include "tls_trust.h"

namespace tabernetes::host {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

namespace {

constexpr std::chrono::seconds kHandshakeTime(10);

}  // namespace

void TlsDial::begin(const WebhookTarget& target, Certificates certificates, Done then) {
  target_ = &target;
  certificates_ = certificates;
  const auto done = std::make_shared<const Done>(std::move(then));
  const auto& [host, port] = target.address;
  error_code no_ip;
  const auto address = asio::ip::make_address(host, no_ip);
  if (!no_ip) return connect(Results::create(tcp::endpoint(address, port), host, ""), done);
  resolver_.async_resolve(host, std::to_string(port), tcp::resolver::numeric_service,
                          [this, done](const error_code& error, const Results& found) {
                            if (error) return (*done)(lookup_fault(target_->address.host));
                            connect(found, done);
                          });
}

void TlsDial::connect(const Results& found, const std::shared_ptr<const Done>& done) {
  asio::async_connect(stream_.next_layer(), found,
                      [this, done, first = found.begin()->endpoint()](const error_code& error,
                                                                      const tcp::endpoint&) {
                        if (error || !stream_.next_layer().is_open())
                          return (*done)(dial_fault(first, error));
                        shake_hands(done);
                      });
}

void TlsDial::shake_hands(const std::shared_ptr<const Done>& done) {
  error_code ignored;
  stream_.next_layer().set_option(tcp::no_delay(true), ignored);
  ends_ = ends_of(stream_.next_layer());
  expect_server(stream_.native_handle(), target_->server_name);
  if (certificates_ == Certificates::kJudged) {
    stream_.set_verify_callback([this](bool good, asio::ssl::verify_context& verified) {
      if (!good) refused_ = certificate_fault(verified.native_handle(), target_->server_name);
      return good;
    });
  }
  limit_.expires_after(kHandshakeTime);
  limit_.async_wait([done](const error_code& error) {
    if (!error) (*done)("net/http: TLS handshake timeout");
  });
  stream_.async_handshake(asio::ssl::stream_base::client, [this, done](const error_code& error) {
    limit_.cancel();
    if (!error) return (*done)({});
    (*done)(refused_.empty() ? connection_fault(ends_, error) : refused_);
  });
}

void TlsDial::close() {
  resolver_.cancel();
  limit_.cancel();
  error_code ignored;
  stream_.next_layer().close(ignored);
}

}  // namespace tabernetes::host

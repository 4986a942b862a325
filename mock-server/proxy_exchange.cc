#include "proxy_exchange.h"

#include <array>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <utility>

#include "network_fault.h"
#include "tls_trust.h"

namespace tabernetes::host {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;

namespace {

constexpr std::chrono::seconds kProxyHandshakeTime(10);
constexpr std::uint32_t kProxyHeadLimit = 10 * 1024 * 1024;
// Answers up to this size are passed on as a whole, if their size is known.
constexpr std::uint64_t kWhole = 1024 * 1024;

class Proxying final : public ProxyExchange, public std::enable_shared_from_this<Proxying> {
 public:
  Proxying(asio::io_context& context, std::shared_ptr<asio::ssl::context> trust,
           WebhookTarget target, ProxyCall call, ProxyListener listener)
      : target_(std::move(target)),
        call_(std::move(call)),
        listener_(std::move(listener)),
        trust_(std::move(trust)),
        resolver_(context),
        stream_(context, *trust_),
        deadline_(context),
        handshake_deadline_(context) {
    parser_.header_limit(kProxyHeadLimit);
    parser_.body_limit(boost::none);
    parser_.skip(call_.method == "HEAD");
  }

  void begin();
  void abort() override {
    over_ = true;
    close();
  }

 private:
  using Results = tcp::resolver::results_type;

  // Returns a handler that calls `step`, unless the exchange is over by then.
  template <class Step>
  auto then(Step step) {
    return [self = shared_from_this(), step](const error_code& error, auto&&... rest) {
      if (!self->over_) step(error, rest...);
    };
  }

  void prepare();
  void connect(const Results& found);
  void shake_hands();
  void send();
  void read_head();
  void begin_body();
  void read_body();
  void take_body(const error_code& error);
  void fail(const std::string& why);
  void end(ProxiedBody state);
  ProxyAnswer head() const;
  void close();

  const WebhookTarget target_;
  ProxyCall call_;
  const ProxyListener listener_;
  const std::shared_ptr<asio::ssl::context> trust_;
  tcp::resolver resolver_;
  asio::ssl::stream<tcp::socket> stream_;
  asio::steady_timer deadline_, handshake_deadline_;
  std::string ends_;     // of the connection
  std::string refused_;  // the reason if the server's certificate was refused
  http::request<http::string_body> request_;
  boost::beast::flat_buffer buffer_;
  http::response_parser<http::buffer_body> parser_;
  std::array<char, 16 * 1024> piece_;
  std::string body_;       // so far, of an answer that is passed on as a whole
  bool answered_ = false;  // the head is passed on
  bool over_ = false;
};

void Proxying::begin() {
  prepare();
  if (call_.patience.nanoseconds > 0) {
    deadline_.expires_after(std::chrono::nanoseconds(call_.patience.nanoseconds));
    deadline_.async_wait(then([this](const error_code& error) {
      if (!error) fail("context deadline exceeded");
    }));
  }
  const auto& [host, port] = target_.address;
  error_code no_ip;
  const auto address = asio::ip::make_address(host, no_ip);
  if (!no_ip) return connect(Results::create(tcp::endpoint(address, port), host, ""));
  resolver_.async_resolve(host, std::to_string(port), tcp::resolver::numeric_service,
                          then([this](const error_code& error, const Results& found) {
                            if (error) return fail(lookup_fault(target_.address.host));
                            connect(found);
                          }));
}

void Proxying::prepare() {
  request_.version(11);
  request_.method_string(call_.method);
  request_.target(target_.path);
  for (const auto& [name, value] : call_.headers) request_.insert(name, value);
  request_.set(http::field::host, target_.authority);
  request_.set(http::field::connection, "close");
  request_.body() = std::move(call_.body);
  if (!request_.body().empty() || (call_.method != "GET" && call_.method != "HEAD")) {
    request_.content_length(request_.body().size());
  }
}

void Proxying::connect(const Results& found) {
  asio::async_connect(stream_.next_layer(), found,
                      then([this, first = found.begin()->endpoint()](const error_code& error,
                                                                     const tcp::endpoint&) {
                        if (error) return fail(dial_fault(first, error));
                        shake_hands();
                      }));
}

void Proxying::shake_hands() {
  error_code ignored;
  stream_.next_layer().set_option(tcp::no_delay(true), ignored);
  ends_ = ends_of(stream_.next_layer());
  expect_server(stream_.native_handle(), target_.server_name);
  if (!call_.insecure) {
    stream_.set_verify_callback([this](bool good, asio::ssl::verify_context& verified) {
      if (!good) refused_ = certificate_fault(verified.native_handle(), target_.server_name);
      return good;
    });
  }
  handshake_deadline_.expires_after(kProxyHandshakeTime);
  handshake_deadline_.async_wait(then([this](const error_code& error) {
    if (!error) fail("net/http: TLS handshake timeout");
  }));
  stream_.async_handshake(asio::ssl::stream_base::client, then([this](const error_code& error) {
                            handshake_deadline_.cancel();
                            if (!error) return send();
                            fail(refused_.empty() ? connection_fault(ends_, error) : refused_);
                          }));
}

void Proxying::send() {
  http::async_write(stream_, request_, then([this](const error_code& error, std::size_t) {
                      if (error) return fail(connection_fault(ends_, error));
                      read_head();
                    }));
}

void Proxying::read_head() {
  http::async_read_header(stream_, buffer_, parser_,
                          then([this](const error_code& error, std::size_t) {
                            if (error) return fail(connection_fault(ends_, error));
                            if (parser_.get().result_int() == 101) {
                              return fail("protocols are not switched here");
                            }
                            begin_body();
                          }));
}

ProxyAnswer Proxying::head() const {
  ProxyAnswer answer;
  answer.status = static_cast<int>(parser_.get().result_int());
  for (const auto& field : parser_.get()) {
    answer.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  return answer;
}

void Proxying::begin_body() {
  const auto size = parser_.content_length();
  const bool whole = call_.whole || parser_.is_done() || (size && *size <= kWhole);
  if (!whole) {
    ProxyAnswer answer = head();
    answer.more = true;
    answered_ = true;
    listener_.on_answer(std::move(answer));
  }
  read_body();
}

void Proxying::read_body() {
  if (parser_.is_done()) return end(ProxiedBody::kEnded);
  parser_.get().body().data = piece_.data();
  parser_.get().body().size = piece_.size();
  parser_.get().body().more = true;
  http::async_read_some(stream_, buffer_, parser_,
                        then([this](const error_code& error, std::size_t) { take_body(error); }));
}

void Proxying::take_body(const error_code& error) {
  std::string bytes(piece_.data(), piece_.size() - parser_.get().body().size);
  if (!answered_) {
    body_ += bytes;
  } else if (!bytes.empty()) {
    listener_.on_body(std::move(bytes), ProxiedBody::kMore);
  }
  if (error && error != http::error::need_buffer) {
    if (!answered_) return fail(body_fault(ends_, error));
    return end(ProxiedBody::kBroken);
  }
  read_body();
}

void Proxying::fail(const std::string& why) {
  if (answered_) return end(ProxiedBody::kBroken);
  over_ = true;
  close();
  ProxyAnswer answer;
  answer.fault = Fault{why};
  listener_.on_answer(std::move(answer));
}

void Proxying::end(ProxiedBody state) {
  over_ = true;
  close();
  if (answered_) return listener_.on_body({}, state);
  ProxyAnswer answer = head();
  answer.body = std::move(body_);
  listener_.on_answer(std::move(answer));
}

void Proxying::close() {
  resolver_.cancel();
  deadline_.cancel();
  handshake_deadline_.cancel();
  error_code ignored;
  stream_.next_layer().close(ignored);
}

}  // namespace

std::shared_ptr<ProxyExchange> ProxyExchange::start(asio::io_context& context,
                                                    std::shared_ptr<asio::ssl::context> trust,
                                                    WebhookTarget target, ProxyCall call,
                                                    ProxyListener listener) {
  auto exchange = std::make_shared<Proxying>(context, std::move(trust), std::move(target),
                                             std::move(call), std::move(listener));
  exchange->begin();
  return exchange;
}

}  // namespace tabernetes::host

#include "proxy_exchange.h"

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <utility>

#include "network_fault.h"
#include "tls_dial.h"

namespace tabernetes::host {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

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
        dial_(context, std::move(trust)),
        deadline_(context) {
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
  // Returns a handler that calls `step`, unless the exchange is over by then.
  template <class Step>
  auto then(Step step) {
    return [self = shared_from_this(), step](const error_code& error, auto&&... rest) {
      if (!self->over_) step(error, rest...);
    };
  }

  void prepare();
  void send();
  void read_head();
  void send(std::string bytes) override;
  void write_input();
  void switch_protocols();
  void read_switched();
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
  TlsDial dial_;
  asio::steady_timer deadline_;
  http::request<http::string_body> request_;
  boost::beast::flat_buffer buffer_;
  http::response_parser<http::buffer_body> parser_;
  std::array<char, 16 * 1024> piece_;
  std::string body_;             // so far, of an answer that is passed on as a whole
  std::string input_, sending_;  // for the server, after protocols were switched
  bool answered_ = false;        // the head is passed on
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
  using Certificates = TlsDial::Certificates;
  dial_.begin(target_, call_.insecure ? Certificates::kAny : Certificates::kJudged,
              [self = shared_from_this()](const std::string& fault) {
                if (self->over_) return;
                if (!fault.empty()) return self->fail(fault);
                self->send();
              });
}

void Proxying::prepare() {
  request_.version(11);
  request_.method_string(call_.method);
  request_.target(target_.path);
  for (const auto& [name, value] : call_.headers) request_.insert(name, value);
  request_.set(http::field::host, target_.authority);
  request_.set(http::field::connection, "close");
  for (const auto& [name, value] : call_.upgrade) request_.set(name, value);
  request_.body() = std::move(call_.body);
  if (!request_.body().empty() || (call_.method != "GET" && call_.method != "HEAD")) {
    request_.content_length(request_.body().size());
  }
}

void Proxying::send() {
  http::async_write(dial_.stream(), request_, then([this](const error_code& error, std::size_t) {
                      if (error) return fail(connection_fault(dial_.ends(), error));
                      read_head();
                    }));
}

void Proxying::read_head() {
  http::async_read_header(dial_.stream(), buffer_, parser_,
                          then([this](const error_code& error, std::size_t) {
                            if (error) return fail(connection_fault(dial_.ends(), error));
                            if (parser_.get().result_int() == 101) return switch_protocols();
                            begin_body();
                          }));
}

void Proxying::switch_protocols() {
  if (call_.upgrade.empty()) return fail("protocols are not switched here");
  deadline_.cancel();
  ProxyAnswer answer = head();
  answer.more = true;
  const auto early = buffer_.cdata();
  answer.body.assign(static_cast<const char*>(early.data()), early.size());
  answered_ = true;
  listener_.on_answer(std::move(answer));
  read_switched();
}

void Proxying::read_switched() {
  dial_.stream().async_read_some(asio::buffer(piece_),
                                 then([this](const error_code& error, std::size_t size) {
                                   if (size > 0) {
                                     listener_.on_body({piece_.data(), size}, ProxiedBody::kMore);
                                   }
                                   if (error) return end(ProxiedBody::kEnded);
                                   read_switched();
                                 }));
}

void Proxying::send(std::string bytes) {
  if (over_) return;
  input_ += bytes;
  write_input();
}

// Writes what there is, one piece at a time.
void Proxying::write_input() {
  if (!sending_.empty() || input_.empty()) return;
  sending_ = std::exchange(input_, {});
  asio::async_write(dial_.stream(), asio::buffer(sending_),
                    then([this](const error_code& error, std::size_t) {
                      sending_.clear();
                      if (error) return end(ProxiedBody::kBroken);
                      write_input();
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
  http::async_read_some(dial_.stream(), buffer_, parser_,
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
    if (!answered_) return fail(body_fault(dial_.ends(), error));
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
  dial_.close();
  deadline_.cancel();
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

#include "webhook_exchange.h"

#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
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

// Slightly less than the core's own limit: only this side knows whether the head or the body is
// late.
constexpr std::chrono::milliseconds kPatience(29'900);
constexpr std::uint32_t kHeadLimit = 10 * 1024 * 1024;
constexpr std::uint64_t kBodyLimit = 256 * 1024 * 1024;  // Go has no limit

constexpr int kMostRedirects = 10;

// Returns the target of a redirect's Location, as seen from `from`.
WebhookTarget redirected(const WebhookTarget& from, std::string_view location) {
  WebhookCall call;
  call.url = location;
  if (location.find("://") == std::string_view::npos) {
    const std::string_view path = from.path;
    const std::string_view folder = path.substr(0, path.find('?'));
    const bool absolute = location.starts_with('/');
    call.url = "https://" + from.authority;
    if (!absolute) call.url += folder.substr(0, folder.rfind('/') + 1);
    call.url += location;
  }
  call.url = call.url.substr(0, call.url.find('#'));
  WebhookTarget target = find_target(call, {});
  if (target.path.empty()) target.path = "/";
  // A service's address holds for its own name only.
  if (target.authority == from.authority) {
    target.address = from.address;
    target.server_name = from.server_name;
  }
  return target;
}

class Exchange final : public WebhookExchange, public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(asio::io_context& context, std::shared_ptr<asio::ssl::context> trust,
           WebhookTarget target, OnAnswer on_answer)
      : context_(context),
        target_(std::move(target)),
        on_answer_(std::move(on_answer)),
        trust_(std::move(trust)),
        dial_(context, trust_),
        deadline_(context) {
    parser_.header_limit(kHeadLimit);
    parser_.body_limit(kBodyLimit);
  }

  // What is sent, how often it was redirected before, and until when it may last.
  struct Sending {
    http::verb method = http::verb::post;
    std::string body;
    Headers headers = {};  // that the core wants to be sent
    int redirects = 0;
    std::chrono::steady_clock::time_point end = std::chrono::steady_clock::now() + kPatience;
  };

  void begin(Sending sending);
  void abort() override {
    on_answer_ = nullptr;
    if (successor_) successor_->abort();
    close();
  }

 private:
  // Returns a handler that calls `step`, unless the exchange has ended by then.
  template <class Step>
  auto then(Step step) {
    return [self = shared_from_this(), step](const error_code& error, auto&&... rest) {
      if (self->on_answer_) step(error, rest...);
    };
  }

  void prepare();
  // Follows a redirect as Go's client does; returns false if the answer is none.
  bool redirect();
  void send();
  void read_head();
  void read_body();

  void fail(std::string why, int status = 0) { finish({Fault{std::move(why)}, status, {}}); }
  void finish(WebhookAnswer answer);
  void close();

  asio::io_context& context_;
  const WebhookTarget target_;
  Sending sending_;
  OnAnswer on_answer_;                   // null once the exchange has ended
  std::shared_ptr<Exchange> successor_;  // follows a redirect
  const std::shared_ptr<asio::ssl::context> trust_;
  TlsDial dial_;
  asio::steady_timer deadline_;
  std::string late_ = "context deadline exceeded (Client.Timeout exceeded while awaiting headers)";
  http::request<http::string_body> request_;
  boost::beast::flat_buffer buffer_;
  http::response_parser<http::string_body> parser_;
};

void Exchange::begin(Sending sending) {
  sending_ = std::move(sending);
  prepare();
  deadline_.expires_at(sending_.end);
  deadline_.async_wait(then([this](const error_code& error) {
    const int status = parser_.is_header_done() ? parser_.get().result_int() : 0;
    if (!error) fail(late_, status);
  }));
  dial_.begin(target_, TlsDial::Certificates::kJudged,
              [self = shared_from_this()](const std::string& fault) {
                if (!self->on_answer_) return;
                if (!fault.empty()) return self->fail(fault);
                self->send();
              });
}

void Exchange::prepare() {
  request_.version(11);
  request_.method(sending_.method);
  request_.target(target_.path);
  request_.set(http::field::host, target_.authority);
  request_.set(http::field::user_agent, "kube-apiserver-admission");
  request_.set(http::field::accept, "application/json, */*");
  request_.set(http::field::content_type, "application/json");
  request_.set(http::field::connection, "close");
  for (const auto& [name, value] : sending_.headers) request_.set(name, value);
  request_.body() = sending_.body;
  request_.prepare_payload();
}

bool Exchange::redirect() {
  const auto location = parser_.get()[http::field::location];
  const unsigned status = parser_.get().result_int();
  const bool repeats = status == 307 || status == 308;
  if (location.empty() || !(repeats || (status >= 301 && status <= 303))) return false;
  if (sending_.redirects == kMostRedirects) {
    fail("stopped after 10 redirects");
    return true;
  }
  WebhookTarget target = redirected(target_, {location.data(), location.size()});
  if (!target.fault.empty()) {
    fail(target.fault);
    return true;
  }
  close();
  Sending next{http::verb::get, {}, {}, sending_.redirects + 1, sending_.end};
  // Other hosts do not get credentials.
  if (target.authority == target_.authority) next.headers = sending_.headers;
  if (repeats) {
    next.method = sending_.method;
    next.body = std::move(sending_.body);
  }
  successor_ = std::make_shared<Exchange>(
      context_, trust_, std::move(target), [self = shared_from_this()](WebhookAnswer answer) {
        const OnAnswer on_answer = std::exchange(self->on_answer_, nullptr);
        self->successor_.reset();
        if (on_answer) on_answer(std::move(answer));
      });
  successor_->begin(std::move(next));
  return true;
}

void Exchange::send() {
  http::async_write(dial_.stream(), request_, then([this](const error_code& error, std::size_t) {
                      if (error) return fail(connection_fault(dial_.ends(), error));
                      read_head();
                    }));
}

void Exchange::read_head() {
  http::async_read_header(
      dial_.stream(), buffer_, parser_, then([this](const error_code& error, std::size_t) {
        if (error) return fail(connection_fault(dial_.ends(), error));
        late_ =
            "context deadline exceeded (Client.Timeout or context cancellation while reading body)";
        read_body();
      }));
}

void Exchange::read_body() {
  http::async_read(dial_.stream(), buffer_, parser_,
                   then([this](const error_code& error, std::size_t) {
                     const int status = static_cast<int>(parser_.get().result_int());
                     if (error) return fail(body_fault(dial_.ends(), error), status);
                     if (redirect()) return;
                     const auto header = [&](http::field name) {
                       const auto text = parser_.get()[name];
                       return std::string(text.data(), text.size());
                     };
                     finish({std::nullopt, status, std::move(parser_.get().body()),
                             header(http::field::content_type), header(http::field::retry_after)});
                   }));
}

void Exchange::finish(WebhookAnswer answer) {
  const OnAnswer on_answer = std::exchange(on_answer_, nullptr);
  close();
  on_answer(std::move(answer));
}

void Exchange::close() {
  dial_.close();
  deadline_.cancel();
}

}  // namespace

std::shared_ptr<WebhookExchange> WebhookExchange::start(asio::io_context& context,
                                                        std::shared_ptr<asio::ssl::context> trust,
                                                        WebhookTarget target, WebhookCall call,
                                                        OnAnswer on_answer) {
  auto exchange = std::make_shared<Exchange>(context, std::move(trust), std::move(target),
                                             std::move(on_answer));
  const bool gets = call.method == "GET";
  exchange->begin({.method = gets ? http::verb::get : http::verb::post,
                   .body = std::move(call.body),
                   .headers = std::move(call.headers)});
  return exchange;
}

}  // namespace tabernetes::host

#include "etcd/client.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tabernetes::host::etcd {
namespace {

constexpr std::chrono::milliseconds kPause(100);
constexpr std::size_t kLongestPauses = 10;

}  // namespace

Client::Client(boost::asio::io_context& context, std::vector<Endpoint> endpoints,
               std::unique_ptr<boost::asio::ssl::context> trust)
    : context_(context),
      endpoints_(std::move(endpoints)),
      trust_(std::move(trust)),
      pause_(context) {}

void Client::start(std::function<void()> connected, std::function<void()> lost) {
  on_connected_ = std::move(connected);
  on_lost_ = std::move(lost);
  connect();
}

void Client::stop() {
  stopped_ = true;
  ready_ = false;
  pause_.cancel();
  if (channel_) channel_->close();
}

void Client::connect() {
  const Endpoint& to = endpoints_[next_++ % endpoints_.size()];
  channel_ = Channel::connect(
      context_, to, trust_.get(),
      [this, to](const std::string& problem) {
        if (!problem.empty()) return on_lost(to.authority() + ": " + problem);
        ready_ = true;
        failed_ = 0;
        problem_.clear();
        on_connected_();
      },
      [this, to](const std::string& problem) { on_lost(to.authority() + ": " + problem); });
}

void Client::on_lost(const std::string& problem) {
  if (stopped_) return;
  problem_ = problem;
  const bool was_ready = std::exchange(ready_, false);
  // All servers are tried before there is a pause.
  const std::size_t rounds = failed_++ / endpoints_.size();
  pause_.expires_after(kPause * std::min(rounds, kLongestPauses));
  pause_.async_wait([this](const boost::system::error_code& error) {
    if (!error && !stopped_) connect();
  });
  if (was_ready) on_lost_();
}

void Client::call(std::string_view method, std::string_view message, Done done) {
  if (!ready_) return done({.code = kUnavailable, .message = problem_}, {});
  auto answer = std::make_shared<std::string>();
  channel_->call(method, message, {}, Channel::Kind::kUnary,
                 {.message = [answer](std::string got) { *answer = std::move(got); },
                  .end = [answer, done = std::move(done)](
                             CallEnd end) { done(std::move(end), std::move(*answer)); }});
}

Channel::CallId Client::stream(std::string_view method, std::string_view message,
                               Channel::Events events) {
  return channel_->call(method, message, {}, Channel::Kind::kStream, std::move(events));
}

void Client::cancel(Channel::CallId call) {
  if (ready_) channel_->cancel(call);
}

void Client::change_server() {
  if (!ready_) return;
  channel_->close();
  on_lost("changing the server");
}

}  // namespace tabernetes::host::etcd

#include "core_strand.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "time_text.h"

namespace tabernetes::host {
namespace {

Options starting_now(Options options, const Clock& clock) {
  options.now = clock.now();
  return options;
}

}  // namespace

CoreStrand::CoreStrand(boost::asio::io_context& context, Options options, Clock clock)
    : context_(context),
      clock_(clock),
      server_(starting_now(std::move(options), clock_)),
      timer_(context) {}

void CoreStrand::handle(Request request, Reply reply) {
  if (!clock_.stands_still()) server_.advance(clock_.now());
  server_.handle(std::move(request), std::move(reply));
  clock_.follow(server_.time());
  rearm();
}

// A clock that stands still reaches no deadline by itself: moving it does the work.
void CoreStrand::rearm() {
  if (clock_.stands_still() || stopped_) return;
  const std::optional<Time> deadline = server_.next_deadline();
  if (deadline == armed_for_) return;
  armed_for_ = deadline;
  if (!deadline) {
    timer_.cancel();
    return;
  }
  // A second at most, so that the machine's clock may be set meanwhile.
  const std::int64_t wait = (*deadline - clock_.now()).nanoseconds;
  timer_.expires_after(std::chrono::nanoseconds(std::clamp<std::int64_t>(wait, 0, 1'000'000'000)));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (!error) on_timer();
  });
}

void CoreStrand::on_timer() {
  armed_for_.reset();
  server_.advance(clock_.now());
  rearm();
}

const std::string& CoreStrand::date() {
  const std::int64_t second = server_.time().unix_seconds();
  if (second != date_second_) {
    date_second_ = second;
    date_ = http_date(server_.time());
  }
  return date_;
}

void CoreStrand::stop() {
  stopped_ = true;
  timer_.cancel();
}

}  // namespace tabernetes::host

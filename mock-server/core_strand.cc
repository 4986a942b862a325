#include "core_strand.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <utility>

namespace tabernetes::host {
namespace {

// Number of tasks after which a thread leaves the strand to serve its own connections.
constexpr std::size_t kTurn = 64;

Options starting_now(Options options, const Clock& clock) {
  options.now = clock.now();
  return options;
}

}  // namespace

CoreStrand::CoreStrand(IoThreads& threads, Options options, std::optional<Time> fixed_time)
    : threads_(threads),
      clock_(fixed_time),
      server_(starting_now(std::move(options), clock_)),
      outbox_(threads.size()),
      view_(server_.view()),
      timer_(threads[0].context()) {}

void CoreStrand::run(Task task) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(task));
    if (occupied_) return;
    occupied_ = true;
  }
  // Posted, so that the requests of this thread's other ready sockets join the same batch.
  if (IoThread* here = IoThread::current()) {
    boost::asio::post(here->context(), [this] { work(); });
  } else {
    work();
  }
}

// Moves the waiting tasks into batch_. Returns false and leaves the strand if there are none or the
// turn is over. In the latter case the next thread with a task takes them, or at the latest this
// thread.
bool CoreStrand::take_batch(std::size_t done) {
  const std::lock_guard lock(mutex_);
  if (!queue_.empty() && done < kTurn) {
    batch_.swap(queue_);
    return true;
  }
  occupied_ = false;
  if (!queue_.empty()) {
    IoThread* here = IoThread::current();
    boost::asio::post((here ? *here : threads_[0]).context(), [this] { resume(); });
  }
  return false;
}

void CoreStrand::resume() {
  {
    const std::lock_guard lock(mutex_);
    if (occupied_ || queue_.empty()) return;
    occupied_ = true;
  }
  work();
}

// Called by the thread that has just occupied the strand.
void CoreStrand::work() {
  for (std::size_t done = 0; take_batch(done);) {
    done += batch_.size();
    do_batch();
    send_out();
  }
  if (IoThread* here = IoThread::current()) here->begin();
}

// Batches are at most a second apart while there is work to do: more is a sleep of the machine.
void CoreStrand::go_on() {
  constexpr Duration kSleep = Duration::from_seconds(60);
  const Time now = clock_.now();
  const std::optional<Time> deadline = server_.next_deadline();
  if (deadline && kSleep < now - *deadline) {
    server_.wake(now);
  } else {
    server_.advance(now);
  }
}

void CoreStrand::do_batch() noexcept {
  if (!clock_.stands_still()) go_on();
  for (Task& task : batch_) task();
  batch_.clear();
  if (call_webhook_) {
    for (WebhookCall& call : server_.take_webhook_calls()) call_webhook_(std::move(call));
  }
  if (call_proxy_) {
    for (ProxyCall& call : server_.take_proxy_calls()) call_proxy_(std::move(call));
    for (ProxiedInput& input : server_.take_proxied_input()) send_proxied_(std::move(input));
    for (const std::uint64_t id : server_.take_abandoned_proxy_calls()) give_up_proxy_(id);
  }
  clock_.follow(server_.time(), server_.paused());
  publish_view();  // before any answer is sent
  announce_deadline();
}

void CoreStrand::publish_view() {
  std::shared_ptr<const View> view = server_.view();
  if (view == view_) return;  // only the strand changes it
  const std::lock_guard lock(view_mutex_);
  view_.swap(view);
}

std::shared_ptr<const View> CoreStrand::view() const {
  const std::lock_guard lock(view_mutex_);
  return view_;
}

void CoreStrand::send(const IoThread& to, Task result) {
  outbox_[to.index()].push_back(std::move(result));
}

// Runs on the strand, so that each thread gets results in the order of its tasks, whichever thread
// did them. Results for this thread begin after it has left the strand.
void CoreStrand::send_out() {
  for (std::size_t i = 0; i < outbox_.size(); ++i) {
    if (outbox_[i].empty()) continue;
    threads_[i].add(outbox_[i]);
    if (&threads_[i] != IoThread::current()) threads_[i].begin();
  }
}

// A fixed clock reaches no deadline by itself: the request that moves it does the work. A deadline
// that was removed may wake thread 0 for nothing.
void CoreStrand::announce_deadline() {
  const std::optional<Time> deadline = server_.next_deadline();
  if (clock_.stands_still() || !deadline || (announced_ && *announced_ <= *deadline)) return;
  announced_ = deadline;
  send(threads_[0], [this, deadline] { arm(*deadline); });
}

void CoreStrand::arm(Time deadline) {
  if (stopped_ || (armed_for_ && *armed_for_ <= deadline)) return;
  armed_for_ = deadline;
  // Waits a second at most, since the machine's clock may be set meanwhile.
  const std::int64_t wait = (deadline - clock_.now()).nanoseconds;
  timer_.expires_after(std::chrono::nanoseconds(std::clamp<std::int64_t>(wait, 0, 1'000'000'000)));
  timer_.async_wait([this](const boost::system::error_code& error) {
    if (error) return;
    armed_for_.reset();
    // Every batch advances the core to the present time, which does the due work.
    run([this] { announced_.reset(); });
  });
}

void CoreStrand::stop() {
  stopped_ = true;
  timer_.cancel();
}

}  // namespace tabernetes::host

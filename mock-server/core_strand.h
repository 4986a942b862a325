// The strand of the one writer: the only way into the core, a combining queue.
//
// ApiServer and its Streams allow one caller at a time. Tasks for them wait in a queue. A thread
// that queues a task while no thread is on the strand, or about to enter it, enters itself, but
// only after it has read its other ready sockets, whose requests then join the batch. No thread
// waits for another: the queue's mutex is held to add to the queue or to take it, never while the
// core works. Results for connections are sent to their threads once per thread and batch, and are
// encoded and written there. Requests that only read do not come here: they are answered from the
// view that each batch publishes.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "clock.h"
#include "io_threads.h"
#include "tabernetes/api_server.h"
#include "task.h"

namespace tabernetes::host {

class CoreStrand {
 public:
  // `fixed_time`: --clock. `threads` outlive the strand.
  CoreStrand(IoThreads& threads, Options options, std::optional<Time> fixed_time);
  CoreStrand(const CoreStrand&) = delete;
  CoreStrand& operator=(const CoreStrand&) = delete;

  // Callable from any thread:

  // Runs `task` on the strand soon, or before this returns if no thread runs yet. The core has the
  // present time then. Tasks of one thread run in order.
  void run(Task task);

  // Returns the cluster's time.
  Time now() const { return clock_.now(); }

  // Returns the cluster as of the last finished batch: it contains every write whose answer has
  // been sent.
  std::shared_ptr<const View> view() const;

  // Callable on the strand, that is in a task, or before the threads run:

  ApiServer& server() { return server_; }

  // Sets the function that gets the webhook calls of the core, on the strand.
  void on_webhook_call(std::function<void(WebhookCall)> call) { call_webhook_ = std::move(call); }

  // Sets the functions that get the requests to other servers, the ids of those that may be given
  // up, and what is to be sent on upgraded connections, on the strand.
  void on_proxy_call(std::function<void(ProxyCall)> call,
                     std::function<void(std::uint64_t id)> give_up,
                     std::function<void(ProxiedInput)> send) {
    call_proxy_ = std::move(call);
    give_up_proxy_ = std::move(give_up);
    send_proxied_ = std::move(send);
  }

  // Sends `result` to a thread when this batch is done; to the thread that runs the batch, after it
  // has left the strand.
  void send(const IoThread& to, Task result);

  // Callable on thread 0:

  // Stops watching the core's deadlines, so that nothing keeps thread 0 running.
  void stop();

 private:
  bool take_batch(std::size_t done);
  void work();
  void resume();
  void go_on();
  void do_batch() noexcept;
  void send_out();
  void publish_view();
  void announce_deadline();
  void arm(Time deadline);

  IoThreads& threads_;
  Clock clock_;

  std::mutex mutex_;  // guards the next two
  std::vector<Task> queue_;
  bool occupied_ = false;  // a thread is on the strand or about to enter it

  // Used on the strand only.
  ApiServer server_;
  std::vector<Task> batch_;
  std::vector<std::vector<Task>> outbox_;  // by thread
  std::function<void(WebhookCall)> call_webhook_;
  std::function<void(ProxyCall)> call_proxy_;
  std::function<void(std::uint64_t)> give_up_proxy_;
  std::function<void(ProxiedInput)> send_proxied_;
  std::optional<Time> announced_;  // the deadline that thread 0 knows

  mutable std::mutex view_mutex_;  // guards the pointer
  std::shared_ptr<const View> view_;

  // Used on thread 0 only.
  boost::asio::steady_timer timer_;
  std::optional<Time> armed_for_;
  bool stopped_ = false;
};

}  // namespace tabernetes::host

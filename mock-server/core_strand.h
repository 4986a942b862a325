// The one writer's strand: the only way into the core.
//
// ApiServer and its Streams want one caller at a time. Tasks for them wait in a queue. A thread
// that leaves one there while nobody is on the strand, or on the way to it, goes there itself, but
// only when its other sockets have had their say: what they bring is done in the same batch. Nobody
// else waits: the queue's mutex is held to add to the queue or to take it, never while the core
// works. What tasks bring for connections is sent to their threads, once per thread and batch of
// tasks; sending and encoding for the wire happens there. What only reads is answered without
// coming here, from the view that each batch leaves behind.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "clock.h"
#include "io_threads.h"
#include "tabernetes/api_server.h"
#include "tabernetes/view.h"
#include "task.h"

namespace tabernetes::host {

class CoreStrand {
 public:
  // `fixed_time`: --clock. `threads` outlive the strand.
  CoreStrand(IoThreads& threads, Options options, std::optional<Time> fixed_time);
  CoreStrand(const CoreStrand&) = delete;
  CoreStrand& operator=(const CoreStrand&) = delete;

  // From any thread.

  // Does `task` on the strand, soon; before this returns, if no thread runs yet. The core has been
  // handed the time then. Tasks of one thread are done in their order.
  void run(Task task);

  // The cluster's time, were it asked now.
  Time now() const { return clock_.now(); }

  // The cluster as it was when the last batch of tasks was done: it shows every write whose answer
  // has been sent.
  std::shared_ptr<const View> view() const;

  // On the strand: in a task, or before the threads run.

  ApiServer& server() { return server_; }

  // Has `call` get the calls of webhooks that the core wants made, on the strand.
  void on_webhook_call(std::function<void(WebhookCall)> call) { call_webhook_ = std::move(call); }

  // Sends `result` to a thread: when this batch of tasks is done, or, on the thread that does them,
  // behind the strand.
  void send(const IoThread& to, Task result);

  // On thread 0.

  // Looks at the core's deadlines no more, so that nothing keeps that thread running.
  void stop();

 private:
  bool take_batch(std::size_t done);
  void work();
  void resume();
  void do_batch() noexcept;
  void send_out();
  void publish_view();
  void announce_deadline();
  void arm(Time deadline);

  IoThreads& threads_;
  Clock clock_;

  std::mutex mutex_;  // of the queue
  std::vector<Task> queue_;
  bool occupied_ = false;  // or about to be

  // On the strand.
  ApiServer server_;
  std::vector<Task> batch_;
  std::vector<std::vector<Task>> outbox_;  // by thread
  std::function<void(WebhookCall)> call_webhook_;
  std::optional<Time> announced_;  // the deadline that thread 0 knows of

  mutable std::mutex view_mutex_;  // of the pointer
  std::shared_ptr<const View> view_;

  // On thread 0.
  boost::asio::steady_timer timer_;
  std::optional<Time> armed_for_;
  bool stopped_ = false;
};

}  // namespace tabernetes::host

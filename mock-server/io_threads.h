// The threads of connections, one event loop each.
//
// A thread's connections, their sockets and timers are used on that thread only, without locks.
// Other threads send it tasks.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "task.h"

namespace tabernetes::host {

class IoThread {
 public:
  explicit IoThread(std::size_t index) : index_(index) {}
  IoThread(const IoThread&) = delete;
  IoThread& operator=(const IoThread&) = delete;

  boost::asio::io_context& context() { return context_; }

  // Returns 0 to IoThreads::size() - 1. Thread 0 is the one that called IoThreads::run().
  std::size_t index() const { return index_; }

  // Returns the calling thread, or null outside of IoThreads::run().
  static IoThread* current();

  // Runs `task` on this thread after the tasks that arrived before: at once if this is the calling
  // thread and there are none. Sockets and timers get a turn in between, however many tasks there
  // are. An exception of a task is reported and stops no other. Callable from any thread.
  void run(Task task);

  // The two halves of run(), for a caller that orders its additions by a lock: add() under the
  // lock, begin() after it. `tasks` is empty afterwards. Callable from any thread.
  void add(std::vector<Task>& tasks);
  void begin();

 private:
  friend class IoThreads;
  void loop();
  void work();
  bool take();

  const std::size_t index_;
  std::mutex mutex_;  // guards the next two
  std::vector<Task> added_;
  bool begun_ = false;  // work() runs or is posted

  // Used on this thread only.
  std::vector<Task> turn_;              // taken from added_
  std::size_t done_ = 0;                // number of tasks of turn_ already run
  boost::asio::io_context context_{1};  // run by one thread
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{
      context_.get_executor()};
};

class IoThreads {
 public:
  explicit IoThreads(std::size_t count);

  // Returns the number of processors, limited to 2 to 4: clients need some too.
  static std::size_t default_count();

  std::size_t size() const { return threads_.size(); }
  IoThread& operator[](std::size_t index) { return threads_[index]; }

  // Runs all threads, the calling one as thread 0, until release() was called and no thread has
  // work left.
  void run();

  // Lets run() return. REQUIRES: called on thread 0.
  void release();

 private:
  std::deque<IoThread> threads_;
};

}  // namespace tabernetes::host

// The threads that connections live on, one event loop each.
//
// What belongs to a thread (its connections, their sockets and timers) is touched by that thread
// alone and needs no lock; others send it tasks.
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

  // 0 to IoThreads::size() - 1; thread 0 is the one that called IoThreads::run().
  std::size_t index() const { return index_; }

  // The thread that asks; null outside of IoThreads::run().
  static IoThread* current();

  // Does the tasks here, behind those that have arrived: at once if this is the calling thread and
  // there are none. However many there are, sockets and timers get their turn in between. What one
  // of them throws is reported and stops no other. From any thread.
  void run(Task task);

  // run() in two halves: who adds while holding something that puts its additions in order may
  // begin them after letting go of it. `tasks` is empty afterwards. From any thread.
  void add(std::vector<Task>& tasks);
  void begin();

 private:
  friend class IoThreads;
  void loop();
  void work();
  bool take();

  const std::size_t index_;
  std::mutex mutex_;  // of the two below
  std::vector<Task> added_;
  bool begun_ = false;  // or about to

  // On this thread.
  std::vector<Task> turn_;              // taken from what was added
  std::size_t done_ = 0;                // of it
  boost::asio::io_context context_{1};  // one thread runs it
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_{
      context_.get_executor()};
};

class IoThreads {
 public:
  explicit IoThreads(std::size_t count);

  // As many as the machine can feed beside its clients.
  static std::size_t default_count();

  std::size_t size() const { return threads_.size(); }
  IoThread& operator[](std::size_t index) { return threads_[index]; }

  // Runs all threads, the calling one as thread 0, until release() was called and nothing is left
  // to do on any.
  void run();

  // To be called on thread 0.
  void release();

 private:
  std::deque<IoThread> threads_;
};

}  // namespace tabernetes::host

#include "io_threads.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <exception>
#include <iterator>
#include <thread>
#include <utility>

namespace tabernetes::host {
namespace {

// Number of tasks after which sockets and timers get a turn.
constexpr std::size_t kTasksInTurn = 64;

thread_local IoThread* current_thread = nullptr;

// Reports an exception of `work`; it ends at most one connection.
template <class Work>
bool done(Work&& work) {
  try {
    work();
    return true;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tabernetes: %s\n", error.what());
    return false;
  }
}

}  // namespace

IoThread* IoThread::current() { return current_thread; }

void IoThread::run(Task task) {
  {
    const std::lock_guard lock(mutex_);
    added_.push_back(std::move(task));
  }
  begin();
}

void IoThread::add(std::vector<Task>& tasks) {
  const std::lock_guard lock(mutex_);
  std::move(tasks.begin(), tasks.end(), std::back_inserter(added_));
  tasks.clear();
}

void IoThread::begin() {
  {
    const std::lock_guard lock(mutex_);
    if (begun_ || added_.empty()) return;
    begun_ = true;
  }
  if (current_thread == this) {
    work();
  } else {
    boost::asio::post(context_, [this] { work(); });
  }
}

void IoThread::work() {
  for (std::size_t n = 0; n < kTasksInTurn; ++n) {
    if (done_ == turn_.size() && !take()) return;
    Task task = std::move(turn_[done_++]);
    done(task);
  }
  boost::asio::post(context_, [this] { work(); });
}

// Takes the tasks added meanwhile as the next turn. Returns false if there are none; then begin()
// is needed again.
bool IoThread::take() {
  turn_.clear();
  done_ = 0;
  const std::lock_guard lock(mutex_);
  turn_.swap(added_);
  begun_ = !turn_.empty();
  return begun_;
}

void IoThread::loop() {
  current_thread = this;
  while (!done([this] { context_.run(); })) {
  }
  current_thread = nullptr;
}

IoThreads::IoThreads(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) threads_.emplace_back(i);
}

std::size_t IoThreads::default_count() {
  return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, 4);
}

void IoThreads::run() {
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < threads_.size(); ++i) {
    others.emplace_back([this, i] { threads_[i].loop(); });
  }
  threads_[0].loop();
  for (std::thread& thread : others) thread.join();
  // Runs the tasks that the threads sent each other while they ended.
  for (bool more = true; more;) {
    more = false;
    for (IoThread& thread : threads_) {
      thread.context_.restart();
      more |= thread.context_.poll() > 0;
    }
  }
}

void IoThreads::release() {
  for (IoThread& thread : threads_) thread.guard_.reset();
}

}  // namespace tabernetes::host

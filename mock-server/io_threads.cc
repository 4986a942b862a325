#include "io_threads.h"

#include <algorithm>
#include <boost/asio/dispatch.hpp>
#include <cstdio>
#include <exception>
#include <thread>
#include <utility>

namespace tabernetes::host {
namespace {

thread_local IoThread* current_thread = nullptr;

// Whatever a connection throws ends that connection only.
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

void IoThread::run(std::vector<Task> tasks) {
  boost::asio::dispatch(context_, [tasks = std::move(tasks)]() mutable {
    for (Task& task : tasks) done(task);
  });
}

void IoThread::run(Task task) {
  boost::asio::dispatch(context_, [task = std::move(task)]() mutable { done(task); });
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
  // What they sent each other while they ended.
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

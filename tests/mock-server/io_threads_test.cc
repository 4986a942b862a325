#include "io_threads.h"

#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace tabernetes::host;

TEST_CASE("io threads: tasks are done on their thread, in the order they were given") {
  IoThreads threads(3);
  std::string order;
  threads[1].run([&] {
    CHECK(IoThread::current() == &threads[1]);
    std::vector<Task> more;
    more.emplace_back([&] { order += 'b'; });
    more.emplace_back([&] { order += 'c'; });
    threads[1].add(more);
    CHECK(more.empty());
    threads[1].run([&] {
      order += 'd';
      threads[0].run([&] { threads.release(); });
    });
    order += 'a';  // the others come after this one
  });
  threads.run();
  CHECK(order == "abcd");
  CHECK(IoThread::current() == nullptr);
}

TEST_CASE("io threads: what another thread gave comes before what the thread then gives itself") {
  IoThreads threads(2);
  std::string order;
  boost::asio::post(threads[0].context(), [&] {
    std::thread([&] { threads[0].run([&] { order += 'a'; }); }).join();
    threads[0].run([&] {
      order += 'b';
      threads.release();
    });
  });
  threads.run();
  CHECK(order == "ab");
}

TEST_CASE("io threads: what a task throws stops no other") {
  IoThreads threads(2);
  bool done = false;
  std::vector<Task> tasks;
  tasks.emplace_back([] { throw std::runtime_error("thrown by a test"); });
  tasks.emplace_back([&] { done = true; });
  tasks.emplace_back([&] { threads.release(); });
  threads[0].add(tasks);
  threads[0].begin();
  threads.run();
  CHECK(done);
}

TEST_CASE("io threads: sockets and timers get their turn between many tasks") {
  IoThreads threads(2);
  int done = 0;
  int done_before_turn = -1;
  std::vector<Task> tasks;
  tasks.emplace_back(
      [&] { boost::asio::post(threads[0].context(), [&] { done_before_turn = done; }); });
  for (int i = 0; i < 1000; ++i) tasks.emplace_back([&] { ++done; });
  tasks.emplace_back([&] { threads.release(); });
  threads[0].add(tasks);
  threads[0].begin();
  threads.run();
  CHECK(done == 1000);
  CHECK(done_before_turn >= 0);
  CHECK(done_before_turn < 200);
}

TEST_CASE("io threads: what threads send each other at their end is done") {
  IoThreads threads(2);
  bool done = false;
  threads[0].run([&] {
    threads.release();
    threads[1].run([&] { threads[0].run([&] { threads[1].run([&] { done = true; }); }); });
  });
  threads.run();
  CHECK(done);
}

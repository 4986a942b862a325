#include "core_strand.h"

#include <atomic>
#include <boost/asio/post.hpp>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using namespace tabernetes;
using namespace tabernetes::host;

namespace {

constexpr std::size_t kThreads = 4;
constexpr int kTasks = 2000;  // per thread

thread_local bool on_strand = false;

// The strand with its threads. Calls `begin` on each thread. Ends when end() is called.
struct Host {
  IoThreads threads{kThreads};
  CoreStrand strand{threads, Options{}, Time::from_unix_milliseconds(1'767'225'600'000)};

  template <class Begin>
  void run(Begin begin) {
    for (std::size_t i = 0; i < kThreads; ++i) {
      threads[i].run([this, i, begin] { begin(threads[i]); });
    }
    threads.run();
  }

  void end() {
    threads[0].run([this] {
      strand.stop();
      threads.release();
    });
  }
};

}  // namespace

TEST_CASE("core strand: tasks of many threads are done one at a time, each thread's in order") {
  Host host;
  int busy = 0, overlaps = 0, done = 0, disorder = 0;  // used by tasks only
  std::vector<int> last(kThreads, -1);
  host.run([&](IoThread& thread) {
    for (int n = 0; n < kTasks; ++n) {
      host.strand.run([&, n] {
        if (++busy != 1) ++overlaps;
        if (last[thread.index()] != n - 1) ++disorder;
        last[thread.index()] = n;
        --busy;
        if (++done == static_cast<int>(kThreads) * kTasks) host.end();
      });
    }
  });
  CHECK(done == static_cast<int>(kThreads) * kTasks);
  CHECK(overlaps == 0);
  CHECK(disorder == 0);
}

TEST_CASE("core strand: results arrive on their threads, in order, outside of the strand") {
  Host host;
  struct Arrivals {
    int count = 0, elsewhere = 0, inside = 0, disorder = 0;
  };
  std::vector<Arrivals> arrivals(kThreads);
  std::atomic<std::size_t> complete = 0;
  host.run([&](IoThread& thread) {
    for (int n = 0; n < kTasks; ++n) {
      host.strand.run([&, n] {
        on_strand = true;
        host.strand.send(thread, [&, n] {
          Arrivals& mine = arrivals[thread.index()];
          if (IoThread::current() != &thread) ++mine.elsewhere;
          if (on_strand) ++mine.inside;
          if (mine.count != n) ++mine.disorder;
          if (++mine.count == kTasks && ++complete == kThreads) host.end();
        });
        on_strand = false;
      });
    }
  });
  for (const Arrivals& mine : arrivals) {
    CHECK(mine.count == kTasks);
    CHECK(mine.elsewhere == 0);
    CHECK(mine.inside == 0);
    CHECK(mine.disorder == 0);
  }
}

TEST_CASE("core strand: what a thread's sockets bring at once is one batch") {
  Host host;
  std::string order;
  host.run([&](IoThread& thread) {
    if (thread.index() != 0) return;
    // As if two sockets were ready.
    for (const char name : {'a', 'b'}) {
      boost::asio::post(thread.context(), [&, name] {
        order += name;
        host.strand.run([&, name] {
          order += name;
          host.strand.send(thread, [&] {
            order += '.';
            if (order.ends_with("..")) host.end();
          });
        });
      });
    }
  });
  CHECK(order == "abab..");
}

TEST_CASE("core strand: a task that is given on the strand is done behind the present one") {
  Host host;
  std::string order;
  host.strand.run([&] {
    order += 'a';
    host.strand.run([&] { order += 'c'; });
    order += 'b';
  });
  CHECK(order == "abc");
}

TEST_CASE("core strand: no thread is kept there while its own work waits") {
  Host host;
  bool own_work_done = false;
  int tasks = 0;
  // Each task adds the next, so without turns the thread would never leave the strand.
  std::function<void()> again = [&] {
    if (++tasks == 1) boost::asio::post(host.threads[0].context(), [&] { own_work_done = true; });
    if (own_work_done) return host.end();
    host.strand.run(again);
  };
  host.run([&](IoThread& thread) {
    if (thread.index() == 0) host.strand.run(again);
  });
  CHECK(own_work_done);
  CHECK(tasks > 2);
}

TEST_CASE("core strand: a watch's end comes by itself") {
  IoThreads threads(2);
  CoreStrand strand(threads, Options{}, std::nullopt);
  std::unique_ptr<Stream> stream;
  strand.run([&] {
    Request request;
    request.method = "GET";
    request.target = "/api/v1/pods?watch=true&timeoutSeconds=1";
    strand.server().handle(std::move(request),
                           [&](Response response) { stream = std::move(response.stream); });
  });
  REQUIRE(stream);
  const auto start = std::chrono::steady_clock::now();
  while (!stream->next().empty()) {
  }
  stream->on_ready([&] {
    threads[0].run([&] {
      strand.stop();
      threads.release();
    });
  });
  threads.run();
  CHECK(stream->ended());
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(5));
  stream.reset();
}

#include "base/algorithm/atomic_lazy.h"

#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

namespace tabernetes {
namespace {

TEST_CASE("published: made once, and the same for everyone after", "[base]") {
  AtomicLazy<std::string> text;
  int made = 0;
  const auto make = [&] { return "made " + std::to_string(++made); };
  CHECK(text.get_or_make(make) == "made 1");
  CHECK(&text.get_or_make(make) == &text.get_or_make(make));
  CHECK(made == 1);
}

TEST_CASE("published: threads that ask at the same time get the same value", "[base]") {
  for (int round = 0; round < 100; ++round) {
    AtomicLazy<std::string> text;
    std::vector<const std::string*> seen(4);
    std::atomic<int> arrived{0};
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < seen.size(); ++t) {
      threads.emplace_back([&, t] {
        ++arrived;
        while (arrived < 4) std::this_thread::yield();
        seen[t] = &text.get_or_make([&] { return std::string(100, static_cast<char>('a' + t)); });
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string* each : seen) REQUIRE(each == seen[0]);
    CHECK(seen[0]->size() == 100);
  }
}

}  // namespace
}  // namespace tabernetes

#include "server/request/audit_ids.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/numbers/entropy.h"

namespace tabernetes::server {
namespace {

TEST_CASE("audit ids: one after another they are the uids of a seed", "[server]") {
  AuditIds ids(7);
  Entropy entropy({}, 7);
  for (int i = 0; i < 5; ++i) CHECK(ids.next() == make_uid(entropy));
}

TEST_CASE("audit ids: threads get each their own", "[server]") {
  constexpr std::size_t kEach = 2000;
  AuditIds ids(7);
  std::vector<std::string> drawn(3 * kEach);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < 3; ++t) {
    threads.emplace_back([&, t] {
      for (std::size_t i = 0; i < kEach; ++i) drawn[t * kEach + i] = ids.next();
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<std::string> expected(drawn.size());
  AuditIds again(7);
  for (std::string& id : expected) id = again.next();
  std::sort(drawn.begin(), drawn.end());
  std::sort(expected.begin(), expected.end());
  CHECK(drawn == expected);
}

}  // namespace
}  // namespace tabernetes::server

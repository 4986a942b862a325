#include "server/limits/measures.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "server/limits/retry_after.h"

namespace tabernetes::server {
namespace {

Time second(std::int64_t seconds) { return Time::from_unix_milliseconds(seconds * 1000); }

TEST_CASE("An integrator has the average, the deviation and the greatest value of a while") {
  Integrator demand(second(0));
  demand.set(4, second(5));
  const Integrator::Results first = demand.take(second(10));
  CHECK(first.seconds == 10);
  CHECK(first.average == 2);
  CHECK(first.deviation == 2);
  CHECK(first.most == 4);
  demand.set(1, second(10));
  const Integrator::Results next = demand.take(second(20));
  CHECK(next.average == 1);
  CHECK(next.deviation == 0);
  CHECK(next.most == 4);  // the value at its beginning counts
}

TEST_CASE("An integrator forgets a value that does not last") {
  Integrator demand(second(0));
  demand.set(3, second(5));
  demand.set(0, second(5));
  CHECK(demand.take(second(10)).most == 0);
  demand.set(2, second(15));
  demand.set(0, second(16));
  CHECK(demand.take(second(20)).most == 2);
}

TEST_CASE("Buckets count values up to their ends, and what is beyond") {
  static constexpr double kEnds[] = {0, 1, 2};
  Buckets buckets(kEnds);
  for (const double value : {0.0, 1.0, 1.5, 7.0}) buckets.add(value);
  buckets.add(2, 3);
  CHECK(buckets.counts() == std::vector<std::uint64_t>{1, 1, 4, 1});
  CHECK(buckets.count() == 7);
  CHECK(buckets.sum() == Catch::Approx(15.5));
}

TEST_CASE("A ratio over time counts nanoseconds") {
  static constexpr double kEnds[] = {0, 0.5, 1};
  RatioOverTime use(kEnds, 4, second(0));
  use.set(2, second(1));
  use.set_denominator(2, second(3));
  CHECK(use.until(second(6)).counts() ==
        std::vector<std::uint64_t>{1'000'000'000, 2'000'000'000, 3'000'000'000, 0});
}

TEST_CASE("The more are refused, the longer clients should wait") {
  RetryAfter after;
  after.note(second(100));
  CHECK(after.seconds() == 1);
  for (int i = 0; i < 3; ++i) after.note(second(100));
  after.note(second(101));
  CHECK(after.seconds() == 2);
  after.note(second(200));
  CHECK(after.seconds() == 1);
}

TEST_CASE("A ratio over time begins anew with the value that it has") {
  static constexpr double kEnds[] = {0, 0.5, 1};
  RatioOverTime use(kEnds, 4, second(0));
  use.set(4, second(0));
  use.begin_anew(second(10));
  CHECK(use.until(second(10)).count() == 0);
  CHECK(use.until(second(13)).count() == 3'000'000'000);
  CHECK(use.until(second(13)).sum() == 3e9);
}

}  // namespace
}  // namespace tabernetes::server

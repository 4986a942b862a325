#include "kinds/core/service_addresses.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

namespace tabernetes::registry::kinds {
namespace {

TEST_CASE("service addresses: the range", "[registry]") {
  using State = ServiceAddresses::State;
  struct Case {
    std::string_view address;
    State state;
  };
  static constexpr Case kCases[] = {
      {"10.96.0.1", State::kTaken},
      {"10.96.0.2", State::kFree},
      {"10.96.255.254", State::kFree},
      {"10.96.0.0", State::kOutside},
      {"10.96.255.255", State::kOutside},
      {"10.97.0.1", State::kOutside},
      {"10.96.0", State::kOutside},
      {"10.96.0.256", State::kOutside},
      {"10.96.0.1.1", State::kOutside},
      {"fd00::1", State::kOutside},
      {"", State::kOutside},
  };
  ServiceAddresses addresses;
  addresses.take("10.96.0.1");
  for (const Case& c : kCases) {
    CAPTURE(c.address);
    CHECK(addresses.state(c.address) == c.state);
  }
  addresses.release("10.96.0.1");
  CHECK(addresses.state("10.96.0.1") == State::kFree);
}

TEST_CASE("number pool: returns the upper part first, then the rest, each number once",
          "[registry]") {
  NumberPool pool(10, 4);
  Entropy entropy(nullptr, 7);
  std::set<std::uint32_t> drawn;
  for (int i = 0; i < 10; ++i) {
    const auto number = pool.pick(entropy);
    REQUIRE(number);
    CHECK((*number >= 4) == (i < 6));
    CHECK(drawn.insert(*number).second);
    pool.take(*number);
  }
  CHECK_FALSE(pool.pick(entropy));
  pool.release(2);
  CHECK(pool.pick(entropy) == 2);
}

TEST_CASE("service ports: excluded ports are never returned", "[registry]") {
  ServicePorts ports;
  Entropy entropy(nullptr, 7);
  for (std::int64_t port = ServicePorts::kFirst; port <= ServicePorts::kLast; ++port) {
    if (port != 30100 && port != 30200) ports.take(port);
  }
  CHECK(ports.pick(entropy, {30100}) == 30200);
  CHECK_FALSE(ports.pick(entropy, {30100, 30200}));
  CHECK(ports.state(29999) == ServicePorts::State::kOutside);
  CHECK(ports.state(32768) == ServicePorts::State::kOutside);
}

}  // namespace
}  // namespace tabernetes::registry::kinds

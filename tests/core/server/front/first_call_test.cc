// A new cluster gets its first objects, and its control loops take their first turn, in the first
// call that needs them.
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>

#include "../requests.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {
namespace {

constexpr Time kMade = Time::from_unix_milliseconds(1'767'225'600'000);
constexpr Duration kLater = Duration::from_seconds(5);

Options seeded() {
  Options options;
  options.now = kMade;
  options.seed = 7;
  options.nodes = 1;
  options.controllers = {"serviceaccount-controller"};
  return options;
}

std::string account_of(ApiServer& server) {
  return ask(server, "GET", "/api/v1/namespaces/default/serviceaccounts/default").body.flatten();
}

TEST_CASE("first call: whatever it is, the cluster begins as it was made", "[server]") {
  ApiServer usual(seeded());
  const std::string account = account_of(usual);
  CHECK(account.find("\"creationTimestamp\":\"2026-01-01T00:00:00Z\"") != std::string::npos);
  const std::function<void(ApiServer&)> calls[] = {
      [](ApiServer& server) { server.advance(kMade + kLater); },
      [](ApiServer& server) { server.wake(kMade + kLater); },
      [](ApiServer& server) { server.mark_initial_state(); },
      [](ApiServer& server) { server.reset(); },
      [](ApiServer& server) { (void)server.view(); },
      [](ApiServer& server) { (void)server.snapshot(); },
      [](ApiServer& server) { (void)server.fork(); },
      [](ApiServer& server) { (void)server.compact(""); },
      [](ApiServer& server) {
        CHECK(server.load(R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"a"}})")
                  .empty());
      },
      [](ApiServer& server) { (void)server.administer(request_of("GET", "/-/tabernetes/clock")); },
  };
  for (const auto& call : calls) {
    ApiServer server(seeded());
    CHECK(server.time() == kMade);
    call(server);
    CHECK(account_of(server) == account);
  }
}

TEST_CASE("first call: a host is asked for one at once", "[server]") {
  ApiServer server(seeded());
  CHECK(server.next_deadline() == kMade);
  server.advance(kMade);
  CHECK(server.next_deadline() != kMade);
}

TEST_CASE("first call: a fork has what its cluster begins with", "[server]") {
  ApiServer server(seeded());
  const auto fork = server.fork();
  CHECK(account_of(*fork) == account_of(server));
}

}  // namespace
}  // namespace tabernetes::server

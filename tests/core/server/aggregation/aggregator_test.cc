// Tests a cluster with an aggregated API, whose calls the test answers.
#include "server/aggregation/aggregator.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "fruit_server.h"

namespace tabernetes::server {
namespace {

TEST_CASE("Aggregator: an API is asked whether it is there, then what it has") {
  FruitServer server;
  const auto check = server.call_of(kFruit);
  REQUIRE(check);
  CHECK(check->insecure);
  CHECK(check->whole);
  CHECK(get(server, kFruit) == "503 service unavailable\n");
  server.answer(*check, 200, std::string(kFruitResources));
  CHECK(server.reason() == R"("reason":"Passed")");
  server.answer("GET", "/apis", 404, "");
  CHECK(get(server, "/apis").find(R"("name":"fruit.example")") != std::string::npos);
}

TEST_CASE("Aggregator: an API that does not answer well is not available, and is asked again") {
  FruitServer server;
  server.answer("GET", kFruit, 500, "");
  CHECK(server.reason() == R"("reason":"FailedDiscoveryCheck")");
  CHECK_FALSE(server.call_of(kFruit));
  server.wait(5);
  CHECK(server.call_of(kFruit));
}

TEST_CASE("Aggregator: requests go to an available API as their user") {
  FruitServer server;
  server.make_available();
  const Pending pending = begin(server, "GET", std::string(kFruit) + "/apples?limit=1");
  const auto call = server.call_of(std::string(kFruit) + "/apples?limit=1");
  REQUIRE(call);
  CHECK(find_header(call->headers, "X-Remote-User") == "system:anonymous");
  CHECK(*pending == nullptr);
  server.answer(*call, 200, "theirs", {{"Content-Type", "text/plain"}});
  REQUIRE(*pending != nullptr);
  CHECK(text_of(**pending) == "200 theirs");
}

TEST_CASE("Aggregator: without the APIService this server answers itself") {
  FruitServer server;
  REQUIRE(ask(server, "DELETE", std::string(kApiServices) + "/v1.fruit.example").status == 200);
  CHECK(get(server, kFruit) == "404 404 page not found\n");
}

}  // namespace
}  // namespace tabernetes::server

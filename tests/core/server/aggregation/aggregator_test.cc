// Tests a cluster with an aggregated API, whose calls the test answers.
#include "server/aggregation/aggregator.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "../requests.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kApiServices = "/apis/apiregistration.k8s.io/v1/apiservices";
constexpr std::string_view kFruit = "/apis/fruit.example/v1";

Options reaching() {
  Options options;
  options.now = Time::from_unix_milliseconds(0);
  options.controllers = {};
  options.reaches_servers = true;
  return options;
}

// Registers the API and makes its service, of a name elsewhere.
void add_fruit(ApiServer& server) {
  REQUIRE(ask(server, "POST", kApiServices,
              R"({"metadata":{"name":"v1.fruit.example"},"spec":{"group":"fruit.example",)"
              R"("version":"v1","groupPriorityMinimum":1500,"versionPriority":10,)"
              R"("insecureSkipTLSVerify":true,)"
              R"("service":{"namespace":"default","name":"apples"}}})")
              .status == 201);
  REQUIRE(ask(server, "POST", "/api/v1/namespaces/default/services",
              R"({"metadata":{"name":"apples"},"spec":{"type":"ExternalName",)"
              R"("externalName":"apples.example"}})")
              .status == 201);
  server.advance(server.time());
}

std::string condition_of(ApiServer& server) {
  const std::string text = get(server, std::string(kApiServices) + "/v1.fruit.example");
  const std::size_t at = text.find("\"reason\":");
  return at == std::string::npos ? "" : text.substr(at, text.find(',', at) - at);
}

void answer_call(ApiServer& server, const ProxyCall& call, int status, std::string body,
                 std::string type = "application/json") {
  ProxyAnswer given;
  given.status = status;
  given.headers = {{"Content-Type", std::move(type)}};
  given.body = std::move(body);
  server.answer_proxy(call.id, std::move(given));
  server.advance(server.time());
}

TEST_CASE("Aggregator: an API is asked whether it is there, then what it has") {
  ApiServer server(reaching());
  add_fruit(server);
  std::vector<ProxyCall> calls = server.take_proxy_calls();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].url == "https://apples.default.svc:443/apis/fruit.example/v1");
  CHECK(calls[0].insecure);
  CHECK(calls[0].whole);
  CHECK(get(server, kFruit) == "503 service unavailable\n");
  answer_call(server, calls[0], 200,
              R"({"kind":"APIResourceList","groupVersion":"fruit.example/v1","resources":[)"
              R"({"name":"apples","singularName":"apple","namespaced":true,"kind":"Apple",)"
              R"("verbs":["get"]}]})");
  CHECK(condition_of(server) == R"("reason":"Passed")");
  calls = server.take_proxy_calls();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].url == "https://apples.default.svc:443/apis");
  answer_call(server, calls[0], 404, "");
  CHECK(get(server, "/apis").find(R"("name":"fruit.example")") != std::string::npos);
}

TEST_CASE("Aggregator: an API that does not answer well is not available, and is asked again") {
  ApiServer server(reaching());
  add_fruit(server);
  answer_call(server, server.take_proxy_calls().at(0), 500, "");
  CHECK(condition_of(server) == R"("reason":"FailedDiscoveryCheck")");
  CHECK(server.take_proxy_calls().empty());
  server.advance(server.time() + Duration::from_milliseconds(5));
  CHECK(server.take_proxy_calls().size() == 1);
}

TEST_CASE("Aggregator: requests go to an available API as their user") {
  ApiServer server(reaching());
  add_fruit(server);
  answer_call(server, server.take_proxy_calls().at(0), 200, R"({"kind":"APIResourceList"})");
  server.take_proxy_calls();
  const Pending pending = begin(server, "GET", std::string(kFruit) + "/apples?limit=1");
  const std::vector<ProxyCall> calls = server.take_proxy_calls();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].url == "https://apples.default.svc:443/apis/fruit.example/v1/apples?limit=1");
  CHECK(find_header(calls[0].headers, "X-Remote-User") == "system:anonymous");
  CHECK(*pending == nullptr);
  answer_call(server, calls[0], 200, "theirs", "text/plain");
  REQUIRE(*pending != nullptr);
  CHECK(text_of(**pending) == "200 theirs");
}

TEST_CASE("Aggregator: without the APIService this server answers itself") {
  ApiServer server(reaching());
  add_fruit(server);
  REQUIRE(ask(server, "DELETE", std::string(kApiServices) + "/v1.fruit.example").status == 200);
  CHECK(get(server, kFruit) == "404 404 page not found\n");
}

}  // namespace
}  // namespace tabernetes::server

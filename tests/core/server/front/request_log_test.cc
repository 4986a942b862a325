#include "server/request/request_log.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../requests.h"
#include "tabernetes/api_server.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kTime = R"("time":"2026-01-01T00:00:00.000000Z")";

ApiServer& advanced(ApiServer& server) {
  server.advance(Time::from_unix_milliseconds(1'767'225'600'000));
  return server;
}

std::string logged(ApiServer& server, std::string_view options = {}) {
  return get(server, "/-/tabernetes/requests" + std::string(options));
}

std::string page(const std::string& entries) { return R"(200 {"requests":[)" + entries + "]}\n"; }

TEST_CASE("request log: says who asked for what, and what came of it", "[server]") {
  ApiServer server;
  advanced(server);
  CHECK(logged(server) == page(""));
  Request request = request_of("GET", "/apis/apps/v1/namespaces/a/deployments/web/scale?pretty=0");
  request.headers = {{"user-agent", "test/1"}};
  server.handle(request, [](const Response&) {});
  CHECK(logged(server) ==
        page("{" + std::string(kTime) +
             R"(,"verb":"get","apiGroup":"apps","apiVersion":"v1","resource":"deployments",)"
             R"("subresource":"scale","namespace":"a","name":"web","user":"system:anonymous",)"
             R"("userAgent":"test/1","method":"GET",)"
             R"("target":"/apis/apps/v1/namespaces/a/deployments/web/scale?pretty=0","code":404,)"
             R"("bytes":208})"));
}

TEST_CASE("request log: reads of views are in it, watches have no size", "[server]") {
  ApiServer server;
  advanced(server);
  REQUIRE(server.view()->answer(request_of("GET", "/version"), server.time()));
  ask(server, "GET", "/api/v1/pods?watch=1");
  const std::string all = logged(server);
  CHECK(all.find(R"("verb":"get","user":"system:anonymous","method":"GET","target":"/version")") !=
        std::string::npos);
  CHECK(all.ends_with(R"("target":"/api/v1/pods?watch=1","code":200}]})"
                      "\n"));
}

TEST_CASE("request log: options choose entries", "[server]") {
  ApiServer server;
  create_config_map(server, "a");
  create_config_map(server, "b");
  create_config_map(server, "b");
  ask(server, "GET", "/api/v1/namespaces/default/configmaps");
  const auto count = [&](std::string_view options) {
    const std::string text = logged(server, options);
    std::size_t found = 0;
    for (std::size_t at = text.find("\"time\""); at != std::string::npos;
         at = text.find("\"time\"", at + 1)) {
      ++found;
    }
    return found;
  };
  CHECK(count("") == 4);
  CHECK(count("?verb=create") == 3);
  CHECK(count("?verb=create&code=409") == 1);
  CHECK(count("?resource=configmaps&namespace=default&limit=2") == 2);
  CHECK(count("?user=nobody") == 0);
  CHECK(count("?limit=0") == 0);
  CHECK(logged(server, "?kind=Pod").starts_with("400 "));
  CHECK(logged(server, "?limit=x").starts_with("400 "));
}

TEST_CASE("request log: says what a rule of faults did", "[server]") {
  ApiServer server;
  ask(server, "PUT", "/-/tabernetes/faults",
      R"([{"match":{"path":"/version"},"nth":1,"connection":"close"},)"
      R"({"match":{"path":"/version"},"nth":1,"delay":"2s","status":503},)"
      R"({"match":{"verb":"watch"},"watch":{"events":3,"then":"gone"}},)"
      R"({"match":{"path":"/api"},"connection":"lose","body":{"bytes":5,"then":"garble"}}])");
  ask(server, "GET", "/version");
  const Pending delayed = begin(server, "GET", "/version");
  server.advance(server.time() + Duration::from_seconds(2));
  ask(server, "GET", "/api/v1/pods?watch=1");
  ask(server, "GET", "/api");
  REQUIRE(*delayed);
  const std::string all = logged(server);
  CHECK(all.find(R"("code":0,"bytes":0,"fault":"connection close"})") != std::string::npos);
  CHECK(all.find(R"("fault":"delay 2s, status 503"})") != std::string::npos);
  CHECK(all.find(R"("fault":"watch gone after 3 events"})") != std::string::npos);
  CHECK(all.find(R"("fault":"connection lose, body garble after 5 bytes"})") != std::string::npos);
}

TEST_CASE("request log: keeps the last ones, until it is cleared", "[server]") {
  ApiServer server;
  RequestLog log;
  for (std::size_t i = 0; i < RequestLog::kMost + 5; ++i) {
    log.add(request_of("GET", "/" + std::to_string(i)), Response(), {}, "jane");
  }
  const std::vector<LoggedRequest> entries = log.entries();
  REQUIRE(entries.size() == RequestLog::kMost);
  CHECK(entries.front().target == "/5");
  CHECK(entries.back().target == "/" + std::to_string(RequestLog::kMost + 4));
  CHECK(entries.back().user == "jane");
  log.clear();
  CHECK(log.entries().empty());

  ask(server, "GET", "/version");
  CHECK(text_of(ask(server, "DELETE", "/-/tabernetes/requests")) == page(""));
  ask(server, "GET", "/version");
  server.reset();
  CHECK(logged(server) == page(""));
}

TEST_CASE("request log: what is only explained is not in it", "[server]") {
  ApiServer server;
  ask(server, "POST", "/-/tabernetes/explain",
      R"({"method":"GET","target":"/api/v1/namespaces/default/pods"})");
  CHECK(logged(server) == page(""));
}

}  // namespace
}  // namespace tabernetes::server

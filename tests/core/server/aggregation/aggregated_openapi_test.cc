// Tests the OpenAPI documents of an aggregated API in those of a server.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "fruit_server.h"
#include "server/aggregation/openapi_downloads.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kSwagger =
    R"({"swagger":"2.0","info":{"title":"fruit"},"paths":{"/version":{},)"
    R"("/apis/fruit.example/v1/apples":{"get":{"responses":{"200":{)"
    R"("schema":{"$ref":"#/definitions/example.fruit.Apple"}}}}}},)"
    R"("definitions":{"example.fruit.Apple":{"description":"An apple","type":"object"}}})";
constexpr std::string_view kApple = R"("example.fruit.Apple":{"description":"An apple")";
constexpr std::string_view kDocument = "/openapi/v3/apis/fruit.example/v1";

bool has_apples(ApiServer& server) {
  return get(server, "/openapi/v2").find(kApple) != std::string::npos;
}

// Returns the URL in the index of v3; empty: none.
std::string url_in_index(ApiServer& server, std::string_view key) {
  const std::string index = get(server, "/openapi/v3");
  const std::string entry = "\"" + std::string(key) + R"(":{"serverRelativeURL":")";
  const std::size_t at = index.find(entry);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + entry.size();
  return index.substr(begin, index.find('"', begin) - begin);
}

TEST_CASE("OpenAPI of an aggregated API: v2 is merged in, as long as the API is registered") {
  FruitServer server;
  server.make_available();
  CHECK_FALSE(has_apples(server));
  const auto call = server.call_of("/openapi/v2");
  REQUIRE(call);
  CHECK(find_header(call->headers, "X-Remote-User") == "system:aggregator");
  CHECK(find_header(call->headers, "X-Remote-Group").empty());
  CHECK(find_header(call->headers, "accept") == "application/json");
  server.answer(*call, 200, std::string(kSwagger));
  CHECK(has_apples(server));
  const std::string all = get(server, "/openapi/v2");
  CHECK(all.find(R"("/apis/fruit.example/v1/apples":{)") != std::string::npos);
  CHECK(all.find(R"("title":"Kubernetes")") != std::string::npos);
  CHECK(all.find(R"("/api/v1/pods":{)") != std::string::npos);

  server.make_unavailable();
  CHECK(server.reason() == R"("reason":"FailedDiscoveryCheck")");
  CHECK(has_apples(server));
  REQUIRE(ask(server, "DELETE", std::string(kApiServices) + "/v1.fruit.example").status == 200);
  server.wait(0);
  CHECK_FALSE(has_apples(server));
}

TEST_CASE("OpenAPI of an aggregated API: it is asked each minute, with the tag it gave") {
  FruitServer server;
  server.make_available();
  server.answer(*server.call_of("/openapi/v2"), 200, std::string(kSwagger), {{"ETag", "\"7\""}});
  server.wait(59'000);
  CHECK_FALSE(server.call_of("/openapi/v2"));
  server.wait(1'000);
  const auto again = server.call_of("/openapi/v2");
  REQUIRE(again);
  CHECK(find_header(again->headers, "if-none-match") == "\"7\"");
  server.answer(*again, 304, "");
  CHECK(has_apples(server));
  server.wait(60'000);
  // A server that fails is asked later and later, and what it said stays.
  server.answer(*server.call_of("/openapi/v2"), 500, "");
  server.wait(60'000);
  server.answer(*server.call_of("/openapi/v2"), 200, "no JSON");
  server.wait(119'000);
  CHECK_FALSE(server.call_of("/openapi/v2"));
  server.wait(1'000);
  CHECK(server.call_of("/openapi/v2"));
  CHECK(has_apples(server));
}

TEST_CASE("OpenAPI of an aggregated API: v3 is listed, and asked for there") {
  FruitServer server;
  server.make_available();
  CHECK(get(server, kDocument) == "404 ");
  server.wait(1'000);
  const auto call = server.call_of("/openapi/v3");
  REQUIRE(call);
  CHECK(find_header(call->headers, "X-Remote-User") == "system:aggregator");
  server.answer(
      *call, 200,
      R"({"paths":{"version":{"serverRelativeURL":"/openapi/v3/version?hash=1"},)"
      R"("apis/fruit.example":{"serverRelativeURL":"/openapi/v3/apis/fruit.example?hash=2"},)"
      R"("apis/fruit.example/v1":{"serverRelativeURL":)"
      R"("/openapi/v3/apis/fruit.example/v1?hash=3"}}})");
  CHECK(url_in_index(server, "apis/fruit.example/v1") ==
        "/openapi/v3/apis/fruit.example/v1?hash=3");
  CHECK(url_in_index(server, "apis/fruit.example") == "/openapi/v3/apis/fruit.example?hash=2");
  CHECK(url_in_index(server, "version") != "/openapi/v3/version?hash=1");
  CHECK_FALSE(url_in_index(server, "api/v1").empty());
  const std::string target = std::string(kDocument) + "?hash=3";
  const Pending pending = begin(server, "GET", target);
  const auto forwarded = server.call_of(target);
  REQUIRE(forwarded);
  CHECK(find_header(forwarded->headers, "X-Remote-User") == "system:anonymous");
  server.answer(*forwarded, 200, R"({"openapi":"3.0.0"})");
  REQUIRE(*pending != nullptr);
  CHECK(text_of(**pending) == R"(200 {"openapi":"3.0.0"})");

  server.make_unavailable();
  CHECK(get(server, target) == "503 service unavailable\n");
  CHECK_FALSE(url_in_index(server, "apis/fruit.example/v1").empty());
}

TEST_CASE("OpenAPI of an aggregated API: a server without v3 has its v2 converted") {
  FruitServer server;
  server.make_available();
  server.answer("GET", "/openapi/v2", 200, std::string(kSwagger));
  server.wait(1'000);
  server.answer("GET", "/openapi/v3", 404, "");
  server.answer("GET", "/openapi/v2", 200, std::string(kSwagger));
  const std::string url = url_in_index(server, "apis/fruit.example/v1");
  CHECK(url.starts_with(std::string(kDocument) + "?hash="));
  const std::string document = get(server, url);
  CHECK(document.starts_with(R"(200 {"openapi":"3.0.0","info":{"title":"fruit"})"));
  CHECK(document.find(R"("schemas":{)" + std::string(kApple)) != std::string::npos);
  server.wait(3'600'000);
  CHECK_FALSE(server.call_of("/openapi/v3"));
}

}  // namespace
}  // namespace tabernetes::server

#include "server/discovery/zpages.h"

#include <catch2/catch_test_macros.hpp>

#include "../requests.h"

namespace tabernetes::server {
namespace {

Options options_at_noon() {
  Options options;
  options.now = Time::from_unix_milliseconds(1'780'315'200'000);  // 2026-06-01T12:00:00Z
  options.feature_gates["WatchList"] = true;
  options.cors_allowed_origins = {"^https://a$"};
  return options;
}

std::string asked_for(ApiServer& server, std::string_view target, std::string_view accept) {
  Request request = request_of("GET", target);
  request.headers = {{"accept", std::string(accept)}};
  std::string answer;
  server.handle(request, [&](Response response) { answer = text_of(response); });
  return answer;
}

constexpr std::string_view kNote =
    "Warning: This endpoint is not meant to be machine parseable, has no formatting compatibility "
    "guarantees and is for debugging purposes only.\n";

TEST_CASE("zpages: texts", "[server]") {
  ApiServer server(options_at_noon());
  server.advance(options_at_noon().now + Duration::from_seconds(3 * 3600 + 62));
  CHECK(get(server, "/statusz") ==
        "200 \napiserver statusz\n" + std::string(kNote) +
            "\nStarted: Mon Jun  1 12:00:00 UTC 2026\nUp: 3 hr 01 min 02 sec\n"
            "Go version: go1.26.10\nBinary version: 1.36.2\nEmulation version: 1.36\n"
            "Paths: /flagz /healthz /livez /metrics /readyz /statusz /version\n");
  CHECK(get(server, "/flagz") ==
        "200 \napiserver flagz\n" + std::string(kNote) +
            "anonymous-auth true\nauthorization-mode [AlwaysAllow]\n"
            "cors-allowed-origins [^https://a$]\nfeature-gates WatchList=true\n"
            "service-cluster-ip-range 10.96.0.0/16\nservice-node-port-range 30000-32767\n");
}

TEST_CASE("zpages: which form", "[server]") {
  ApiServer server(options_at_noon());
  const std::string object = "application/json;g=config.k8s.io;v=v1beta1;as=Statusz";
  CHECK(
      asked_for(server, "/statusz", object) ==
      R"(200 {"kind":"Statusz","apiVersion":"config.k8s.io/v1beta1","metadata":{"name":"apiserver"},)"
      R"("startTime":"2026-06-01T12:00:00Z","uptimeSeconds":0,"goVersion":"go1.26.10",)"
      R"("binaryVersion":"1.36.2","emulationVersion":"1.36","paths":["/flagz","/healthz",)"
      R"("/livez","/metrics","/readyz","/statusz","/version"]})"
      "\n");
  CHECK(asked_for(server, "/statusz", "text/plain;q=0.5," + object).starts_with("200 {"));
  for (const char* text : {"", "*/*", "text/*", "text/plain", "text/html,text/plain"}) {
    CHECK(asked_for(server, "/statusz", text).starts_with("200 \napiserver statusz\n"));
  }
  for (const char* refused :
       {"text/html", "application/json", "application/json;g=config.k8s.io;v=v1;as=Statusz",
        "application/json;g=config.k8s.io;v=v1beta1;as=Flagz",
        "application/cbor;g=config.k8s.io;v=v1beta1;as=Statusz"}) {
    INFO(refused);
    const std::string answer = asked_for(server, "/statusz", refused);
    CHECK(answer.starts_with("406 "));
    CHECK(answer.find("only the following media types are accepted: application/json, "
                      "application/yaml, text/plain") != std::string::npos);
  }
}

}  // namespace
}  // namespace tabernetes::server

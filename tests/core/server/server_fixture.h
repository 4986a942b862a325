// An ApiServer to send requests to, and what comes back.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <utility>

#include "tabernetes/api_server.h"

namespace tabernetes::server {

// 2026-01-01T00:00:00Z
inline constexpr Time kTestStart = Time::from_unix_milliseconds(1'767'225'600'000);

struct ServerFixture {
  ServerFixture() : server(options()) {}

  static Options options() {
    Options options;
    options.now = kTestStart;
    options.seed = 1;
    return options;
  }

  static Request request(std::string method, std::string target, std::string body = {}) {
    return {.method = std::move(method),
            .target = std::move(target),
            .headers = {{"accept", "application/json"}, {"content-type", "application/json"}},
            .body = std::move(body),
            .peer = {}};
  }

  // Nothing while the answer waits; it then comes to `late`.
  std::optional<Response> try_send(Request request) {
    std::optional<Response> got;
    late.reset();
    bool returned = false;
    // What comes later must not touch this frame.
    auto shared = std::make_shared<bool*>(&returned);
    server.handle(std::move(request), [this, shared, &got](Response response) {
      if (*shared != nullptr) {
        got = std::move(response);
      } else {
        late = std::move(response);
      }
    });
    *shared = nullptr;
    return got;
  }

  Response send(std::string method, std::string target, std::string body = {}) {
    std::optional<Response> got =
        try_send(request(std::move(method), std::move(target), std::move(body)));
    REQUIRE(got);
    return std::move(*got);
  }

  static std::string text(const Response& response) { return response.body.flatten(); }

  void create_config_map(const std::string& name, const std::string& labels = "{}") {
    const Response created =
        send("POST", "/api/v1/namespaces/default/configmaps",
             R"({"metadata":{"name":")" + name + R"(","labels":)" + labels + "}}");
    REQUIRE(created.status == 201);
  }

  ApiServer server;
  std::optional<Response> late;
};

}  // namespace tabernetes::server

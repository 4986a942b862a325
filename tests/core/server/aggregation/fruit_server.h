// A server with an aggregated API, fruit.example/v1, whose calls the test answers.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../requests.h"

namespace tabernetes::server {

inline constexpr std::string_view kApiServices = "/apis/apiregistration.k8s.io/v1/apiservices";
inline constexpr std::string_view kFruit = "/apis/fruit.example/v1";
inline constexpr std::string_view kFruitResources =
    R"({"kind":"APIResourceList","groupVersion":"fruit.example/v1","resources":[)"
    R"({"name":"apples","singularName":"apple","namespaced":true,"kind":"Apple",)"
    R"("verbs":["create","delete","deletecollection","get","list"]},)"
    R"({"name":"pears","singularName":"pear","namespaced":true,"kind":"Pear",)"
    R"("verbs":["delete","list"]},)"
    R"({"name":"trees","singularName":"tree","namespaced":false,"kind":"Tree",)"
    R"("verbs":["delete","list"]}]})";

class FruitServer : public ApiServer {
 public:
  // Registers the API and makes its service, of a name elsewhere.
  explicit FruitServer(std::vector<std::string> controllers = {})
      : ApiServer(options_with(std::move(controllers))) {
    REQUIRE(ask(*this, "POST", kApiServices,
                R"({"metadata":{"name":"v1.fruit.example"},"spec":{"group":"fruit.example",)"
                R"("version":"v1","groupPriorityMinimum":1500,"versionPriority":10,)"
                R"("insecureSkipTLSVerify":true,)"
                R"("service":{"namespace":"default","name":"apples"}}})")
                .status == 201);
    REQUIRE(ask(*this, "POST", "/api/v1/namespaces/default/services",
                R"({"metadata":{"name":"apples"},"spec":{"type":"ExternalName",)"
                R"("externalName":"apples.example"}})")
                .status == 201);
    wait(0);
  }

  void wait(std::int64_t milliseconds) {
    advance(time() + Duration::from_milliseconds(milliseconds));
  }

  // Returns the call of a method and a path, if it was made and not returned before.
  std::optional<ProxyCall> call_of(std::string_view method, std::string_view path) {
    for (ProxyCall& call : take_proxy_calls()) calls_.push_back(std::move(call));
    const std::string url = "https://apples.default.svc:443" + std::string(path);
    const auto found = std::find_if(calls_.begin(), calls_.end(), [&](const ProxyCall& call) {
      return call.method == method && call.url == url;
    });
    if (found == calls_.end()) return std::nullopt;
    ProxyCall call = std::move(*found);
    calls_.erase(found);
    return call;
  }
  std::optional<ProxyCall> call_of(std::string_view path) { return call_of("GET", path); }

  void answer(const ProxyCall& call, int status, std::string body, Headers headers = {}) {
    ProxyAnswer given;
    given.status = status;
    given.headers = std::move(headers);
    if (given.headers.empty()) given.headers = {{"Content-Type", "application/json"}};
    given.body = std::move(body);
    answer_proxy(call.id, std::move(given));
    wait(0);
  }
  // Answers the call, which must have been made.
  void answer(std::string_view method, std::string_view path, int status, std::string body) {
    const std::optional<ProxyCall> call = call_of(method, path);
    INFO(path);
    REQUIRE(call);
    answer(*call, status, std::move(body));
  }

  // Answers the questions whether the API is there and what it has.
  void make_available(std::string_view resources = kFruitResources) {
    answer("GET", kFruit, 200, std::string(resources));
    answer("GET", "/apis", 404, "");
  }
  // Answers the next question whether it is there with an error.
  void make_unavailable() {
    wait(30'000);
    answer("GET", kFruit, 500, "");
  }

  std::string reason() {
    const std::string text = get(*this, std::string(kApiServices) + "/v1.fruit.example");
    const std::size_t at = text.find("\"reason\":");
    return at == std::string::npos ? "" : text.substr(at, text.find(',', at) - at);
  }

 private:
  static Options options_with(std::vector<std::string> controllers) {
    Options options;
    options.now = Time::from_unix_milliseconds(0);
    options.controllers = std::move(controllers);
    options.reaches_servers = true;
    return options;
  }

  std::vector<ProxyCall> calls_;
};

}  // namespace tabernetes::server

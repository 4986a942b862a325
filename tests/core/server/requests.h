// Shorthands for sending requests to an ApiServer in tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "tabernetes/api_server.h"

namespace tabernetes::server {

inline Request request_of(std::string_view method, std::string_view target,
                          std::string_view body = {}) {
  Request request;
  request.method = method;
  request.target = target;
  request.body = body;
  if (!body.empty()) request.headers = {{"content-type", "application/json"}};
  return request;
}

inline Response ask(ApiServer& server, std::string_view method, std::string_view target,
                    std::string_view body = {}) {
  Response answer;
  answer.status = 0;
  server.handle(request_of(method, target, body),
                [&](Response response) { answer = std::move(response); });
  return answer;
}

// The answer, now or later; null until then.
using Pending = std::shared_ptr<std::unique_ptr<Response>>;
inline Pending begin(ApiServer& server, std::string_view method, std::string_view target,
                     std::string_view body = {}) {
  auto pending = std::make_shared<std::unique_ptr<Response>>();
  server.handle(request_of(method, target, body), [pending](Response response) {
    *pending = std::make_unique<Response>(std::move(response));
  });
  return pending;
}

// Prints "200 {...}".
inline std::string text_of(const Response& response) {
  return std::to_string(response.status) + " " + response.body.flatten();
}

inline std::string get(ApiServer& server, std::string_view target) {
  return text_of(ask(server, "GET", target));
}

// Creates a ConfigMap in namespace default; returns the status code.
inline int create_config_map(ApiServer& server, std::string_view name) {
  return ask(server, "POST", "/api/v1/namespaces/default/configmaps",
             "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" +
                 std::string(name) + "\"}}")
      .status;
}

// Returns metadata.resourceVersion of a list of ConfigMaps: the cluster's version.
inline std::string version_of(ApiServer& server) {
  const std::string list = get(server, "/api/v1/configmaps?labelSelector=no-such-label");
  const std::string_view mark = "\"resourceVersion\":\"";
  const std::size_t begin = list.find(mark) + mark.size();
  return list.substr(begin, list.find('"', begin) - begin);
}

}  // namespace tabernetes::server

// Shorthands for watching an ApiServer in tests.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "requests.h"

namespace tabernetes::server {

// A watch as a host holds it: reads on demand and counts its wake-ups.
class TestWatch {
 public:
  TestWatch(ApiServer& server, std::string_view target, Headers headers = {}) {
    Request request;
    request.method = "GET";
    request.target = target;
    request.headers = std::move(headers);
    server.handle(std::move(request), [&](Response answer) { response = std::move(answer); });
    REQUIRE(response.status == 200);
    REQUIRE(response.stream != nullptr);
  }
  TestWatch(const TestWatch&) = delete;
  TestWatch& operator=(const TestWatch&) = delete;

  // Reads one unit; returns its events.
  std::vector<Slice> next() { return response.stream->next().slices(); }

  // Reads everything available as slices, then waits.
  std::vector<Slice> read_slices() {
    std::vector<Slice> all;
    for (;;) {
      const std::vector<Slice> unit = next();
      if (unit.empty()) break;
      all.insert(all.end(), unit.begin(), unit.end());
    }
    if (!ended()) response.stream->on_ready([this] { ++wakes; });
    return all;
  }
  // Reads everything available as wire text.
  std::string read() {
    std::string text;
    for (const Slice& slice : read_slices()) text += slice.view();
    return text;
  }
  // Reads in short form: "ADDED a@7 DELETED a@8 BOOKMARK @9 BOOKMARK(end) @9 ERROR <message>".
  std::string read_short();

  bool ended() const { return response.stream->ended(); }

  Response response;
  int wakes = 0;
};

// Returns the text between `before` and the next quote.
inline std::string_view text_after(std::string_view text, std::string_view before) {
  const std::size_t found = text.find(before);
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + before.size());
  return text.substr(0, text.find('"'));
}

inline std::string TestWatch::read_short() {
  std::string all;
  for (const Slice& slice : read_slices()) {
    const std::string_view event = slice.view();
    CHECK(event.ends_with("}\n"));
    const std::string_view type = text_after(event, "{\"type\":\"");
    if (!all.empty()) all += ' ';
    all += type;
    if (type == "ERROR") {
      all.append(" ").append(text_after(event, "\"message\":\""));
      continue;
    }
    if (event.find("\"k8s.io/initial-events-end\":\"true\"") != std::string_view::npos) {
      all += "(end)";
    }
    all.append(" ").append(text_after(event, "\"name\":\""));
    all.append("@").append(text_after(event, "\"resourceVersion\":\""));
  }
  return all;
}

inline constexpr std::string_view kConfigMaps = "/api/v1/namespaces/default/configmaps";

// Creates a ConfigMap in namespace default with these members of metadata after its name, such as
// `"labels":{"a":"b"}`, and some bytes of data.
inline void create(ApiServer& server, std::string_view name, std::string_view metadata = {},
                   std::size_t bytes = 0) {
  std::string body = R"({"metadata":{"name":")" + std::string(name) + '"';
  if (!metadata.empty()) body.append(",").append(metadata);
  body.append(R"(},"data":{"x":")").append(bytes, 'x').append("\"}}");
  REQUIRE(ask(server, "POST", kConfigMaps, body).status == 201);
}

inline void patch(ApiServer& server, std::string_view name, std::string_view body) {
  Request request;
  request.method = "PATCH";
  request.target = std::string(kConfigMaps) + "/" + std::string(name);
  request.headers = {{"content-type", "application/merge-patch+json"}};
  request.body = body;
  server.handle(std::move(request), [](const Response& answer) { REQUIRE(answer.status == 200); });
}

inline void remove(ApiServer& server, std::string_view name) {
  REQUIRE(ask(server, "DELETE", std::string(kConfigMaps) + "/" + std::string(name)).status == 200);
}

inline void advance(ApiServer& server, double seconds) {
  const auto nanoseconds = static_cast<std::int64_t>(seconds * 1e9);
  server.advance(server.time() + Duration{nanoseconds});
}

inline std::string config_maps(std::string_view query) {
  return std::string(kConfigMaps).append("?watch=1").append(query);
}

}  // namespace tabernetes::server

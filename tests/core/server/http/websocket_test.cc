#include "server/http/websocket.h"

#include <catch2/catch_test_macros.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tabernetes/api_server.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kWatch = "/api/v1/namespaces/default/configmaps?watch=1";

std::string token_protocol(std::string_view base64) {
  return "base64url.bearer.authorization.k8s.io." + std::string(base64);
}

// Returns a valid handshake with `changed` headers replaced (removed if empty).
Request handshake(const Headers& changed = {}, std::string_view target = kWatch) {
  Request request;
  request.method = "GET";
  request.target = std::string(target);
  request.headers = {{"upgrade", "websocket"},
                     {"connection", "Upgrade"},
                     {"sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="},
                     {"sec-websocket-version", "13"},
                     {"origin", "http://localhost:3000"}};
  for (const auto& change : changed) {
    std::erase_if(request.headers,
                  [&](const auto& header) { return header.first == change.first; });
  }
  for (const auto& header : changed) {
    if (!header.second.empty()) request.headers.push_back(header);
  }
  return request;
}

Response answer(ApiServer& server, Request request) {
  std::optional<Response> response;
  server.handle(std::move(request), [&](Response answer) { response = std::move(answer); });
  REQUIRE(response);
  return std::move(*response);
}

// Uses a server that outlives the streams of its answers; these tests do not change it.
Response answer(Request request) {
  static ApiServer server;
  return answer(server, std::move(request));
}

std::vector<std::string> messages(Stream& stream) {
  std::vector<std::string> all;
  const Rope unit = stream.next();
  for (const Slice& slice : unit.slices()) all.emplace_back(slice.view());
  return all;
}

void make_config_map(ApiServer& server, std::string_view name) {
  Request request;
  request.method = "POST";
  request.target = "/api/v1/namespaces/default/configmaps";
  request.body = R"({"metadata":{"name":")" + std::string(name) + R"("}})";
  CHECK(answer(server, std::move(request)).status == 201);
}

TEST_CASE("websocket: a handshake that is right opens the watch, with no header of its own",
          "[server]") {
  const Response response = answer(handshake());
  CHECK(response.status == 101);
  CHECK(response.headers.empty());
  CHECK(response.message_type == MessageType::kText);
  CHECK(response.stream != nullptr);
  CHECK(response.body.empty());
}

TEST_CASE("websocket: what asks for an upgrade", "[server]") {
  struct Case {
    Headers headers;
    bool wanted;
  };
  const Case cases[] = {
      {{{"upgrade", "WebSocket"}}, true},
      {{{"upgrade", "websocket, h2c"}}, false},
      {{{"upgrade", "h2c"}}, false},
      {{{"upgrade", "h2c"}, {"upgrade", "websocket"}}, false},
      {{{"upgrade", ""}}, false},
      {{{"connection", "keep-alive, Upgrade"}}, true},
      {{{"connection", "keep-alive"}, {"connection", "upgrade"}}, true},
      {{{"connection", "xupgrades"}}, true},
      {{{"connection", "keep-alive"}}, false},
      {{{"connection", ""}}, false},
  };
  for (const Case& c : cases) {
    CAPTURE(c.headers.front().first, c.headers.front().second);
    CHECK(is_websocket_request(handshake(c.headers)) == c.wanted);
    if (!c.wanted) CHECK(answer(handshake(c.headers)).status == 200);
  }
}

TEST_CASE("websocket: a handshake that is not right is refused in the real server's words",
          "[server]") {
  struct Case {
    std::string_view name;
    Headers headers;
    int status;
    std::string_view body;
  };
  const Case cases[] = {
      {"no key", {{"sec-websocket-key", ""}}, 400, "mismatch challenge/response"},
      {"no version", {{"sec-websocket-version", ""}}, 400, "missing or bad WebSocket Version"},
      {"an old version", {{"sec-websocket-version", "8"}}, 400, "missing or bad WebSocket Version"},
      {"two versions",
       {{"sec-websocket-version", "13, 8"}},
       400,
       "missing or bad WebSocket Version"},
      {"the key comes before the version",
       {{"sec-websocket-key", ""}, {"sec-websocket-version", "8"}},
       400,
       "mismatch challenge/response"},
      {"the version comes before the origin",
       {{"origin", ""}, {"sec-websocket-version", "8"}},
       400,
       "missing or bad WebSocket Version"},
      {"the first line of Connection counts",
       {{"connection", "keep-alive"}, {"connection", "upgrade"}},
       400,
       "not websocket protocol"},
      {"no origin", {{"origin", ""}}, 403, ""},
      {"the origin of a sandboxed page", {{"origin", "null"}}, 403, ""},
      {"an origin that is no URL", {{"origin", "http://a b"}}, 403, ""},
      {"the origin comes before the subprotocols",
       {{"origin", ""}, {"sec-websocket-protocol", "a, b"}},
       403,
       ""},
      {"two subprotocols", {{"sec-websocket-protocol", "a, b"}}, 400, ""},
      {"twice the same", {{"sec-websocket-protocol", "a,a"}}, 400, ""},
      {"one and an empty one", {{"sec-websocket-protocol", "a,"}}, 400, ""},
      {"two besides the token",
       {{"sec-websocket-protocol", token_protocol("dG9r") + ", a, b"}},
       400,
       ""},
      {"an empty token is a subprotocol",
       {{"sec-websocket-protocol", token_protocol("") + ", a"}},
       400,
       ""},
  };
  for (const Case& c : cases) {
    DYNAMIC_SECTION(c.name) {
      const Response response = answer(handshake(c.headers));
      CHECK(response.status == c.status);
      CHECK(response.body.flatten() == c.body);
      CHECK(response.stream == nullptr);
      CHECK(response.message_type == MessageType::kNone);
      const bool version = c.body == "missing or bad WebSocket Version";
      CHECK(response.headers == (version ? Headers{{"Sec-WebSocket-Version", "13"}} : Headers{}));
    }
  }
}

TEST_CASE("websocket: any origin that is a URL passes", "[server]") {
  for (const std::string_view origin : {"https://evil.example", "file://", "localhost:1", "*"}) {
    CAPTURE(origin);
    CHECK(answer(handshake({{"origin", std::string(origin)}})).status == 101);
  }
}

TEST_CASE("websocket: the one subprotocol is echoed, whatever it is", "[server]") {
  struct Case {
    std::vector<std::string> lines;
    std::string_view echoed;
  };
  const Case cases[] = {
      {{"base64.binary.k8s.io"}, "base64.binary.k8s.io"},
      {{"anything"}, "anything"},
      {{"a b"}, "a b"},
      {{"a", "b"}, "a"},  // the second line is ignored
      {{token_protocol("dG9r") + ", a"}, "a"},
      {{"a, " + token_protocol("dG9r")}, "a"},
      {{"a", token_protocol("dG9r")}, "a"},
      {{token_protocol("dG9r"), "a"}, "a"},
      {{token_protocol("dG9r") + ","}, ""},  // an empty companion counts as one, and is not echoed
      {{token_protocol("")}, "base64url.bearer.authorization.k8s.io."},
  };
  for (const Case& c : cases) {
    CAPTURE(c.lines.front());
    Headers headers;
    for (const std::string& line : c.lines) headers.emplace_back("sec-websocket-protocol", line);
    const Response response = answer(handshake(headers));
    CHECK(response.status == 101);
    CHECK(find_header(response.headers, "Sec-WebSocket-Protocol") == c.echoed);
  }
}

TEST_CASE("websocket: a token among the subprotocols must be sound and have a companion",
          "[server]") {
  for (const std::string& protocols :
       {token_protocol("dG9r"), token_protocol("YQ") + ", " + token_protocol("Yg") + ", x",
        token_protocol("!!") + ", a", token_protocol("dG9r=") + ", a",
        token_protocol("dG+r") + ", a", token_protocol("dG9yy") + ", a",
        token_protocol("_w") + ", a"}) {
    CAPTURE(protocols);
    // On every path, before other checks.
    for (const std::string_view target : {kWatch, std::string_view("/nowhere")}) {
      const Response response = answer(handshake({{"sec-websocket-protocol", protocols}}, target));
      CHECK(response.status == 401);
      CHECK(response.body.flatten() ==
            R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",)"
            R"("message":"Unauthorized","reason":"Unauthorized","code":401})"
            "\n");
    }
    // Without the upgrade it is an ordinary header.
    const Headers plain = {{"sec-websocket-protocol", protocols}, {"upgrade", ""}};
    CHECK(answer(handshake(plain)).status == 200);
  }
}

TEST_CASE("websocket: errors of the request come before the handshake", "[server]") {
  const Headers no_origin = {{"origin", ""}};
  struct Case {
    std::string_view target;
    int status;
  };
  for (const Case& c : {Case{"/api/v1/configmaps?watch=1&labelSelector=%3D%3D", 400},
                        Case{"/api/v1/configmaps?watch=1&resourceVersion=abc", 500},
                        Case{"/api/v1/configmaps?watch=1&resourceVersionMatch=Exact", 422},
                        Case{"/api/v1/nosuch?watch=1", 404}}) {
    CAPTURE(c.target);
    const Response response = answer(handshake(no_origin, c.target));
    CHECK(response.status == c.status);
    CHECK(response.body.flatten().find("\"status\":\"Failure\"") != std::string::npos);
  }
}

TEST_CASE("websocket: where there is no watch, the upgrade is not looked at", "[server]") {
  const Headers no_origin = {{"origin", ""}};
  for (const std::string_view target :
       {"/api/v1/configmaps", "/api/v1/namespaces/default?watch=1", "/version", "/api"}) {
    CAPTURE(target);
    const Response response = answer(handshake(no_origin, target));
    CHECK(response.status == 200);
    CHECK(response.stream == nullptr);
  }
}

TEST_CASE("websocket: one message an event, the same bytes as in a body", "[server]") {
  for (const std::string_view target :
       {kWatch, std::string_view("/api/v1/watch/namespaces/default/configmaps"),
        std::string_view("/api/v1/watch/namespaces/default/configmaps/a")}) {
    CAPTURE(target);
    ApiServer server;
    make_config_map(server, "a");
    if (!target.ends_with("/a")) make_config_map(server, "b");
    Request plain = handshake({{"upgrade", ""}}, target);
    const std::string body = answer(server, plain).stream->next().flatten();
    const Response response = answer(server, handshake({}, target));
    REQUIRE(response.status == 101);
    std::string joined;
    std::size_t count = 0;
    for (const std::string& message : messages(*response.stream)) {
      ++count;
      CHECK(message.starts_with("{\"type\":"));
      CHECK(message.find('\n') == message.size() - 1);
      joined += message;
    }
    CHECK(count == (target.ends_with("/a") ? 1U : 2U));
    CHECK(joined == body);
  }
}

TEST_CASE("websocket: protobuf comes in binary messages, without lengths", "[server]") {
  const std::string accept = "application/vnd.kubernetes.protobuf;stream=watch";
  ApiServer server;
  make_config_map(server, "a");
  make_config_map(server, "b");
  const std::string body =
      answer(server, handshake({{"upgrade", ""}, {"accept", accept}})).stream->next().flatten();
  const Response response = answer(server, handshake({{"accept", accept}}));
  REQUIRE(response.status == 101);
  CHECK(response.message_type == MessageType::kBinary);
  const std::vector<std::string> sent = messages(*response.stream);
  REQUIRE(sent.size() == 2);
  std::string framed;
  for (const std::string& message : sent) {
    CHECK(
        message.starts_with("\n\x05"
                            "ADDED\x12"));
    framed += std::string("\0\0", 2) + static_cast<char>(message.size() >> 8) +
              static_cast<char>(message.size() & 0xFF) + message;
  }
  CHECK(framed == body);
}

TEST_CASE("websocket: CBOR comes in binary messages, whole", "[server]") {
  Options options;
  options.feature_gates["CBORServingAndStorage"] = true;
  ApiServer server(options);
  make_config_map(server, "a");
  make_config_map(server, "b");
  const std::string accept = "application/cbor";
  const std::string body =
      answer(server, handshake({{"upgrade", ""}, {"accept", accept}})).stream->next().flatten();
  const Response response = answer(server, handshake({{"accept", accept}}));
  REQUIRE(response.status == 101);
  CHECK(response.message_type == MessageType::kBinary);
  const std::vector<std::string> sent = messages(*response.stream);
  REQUIRE(sent.size() == 2);
  for (const std::string& message : sent) CHECK(message.starts_with("\xd9\xd9\xf7\xa2"));
  CHECK(sent[0] + sent[1] == body);
}

TEST_CASE("websocket: a stream that is waited for and ends passes it on", "[server]") {
  ApiServer server;
  server.advance(Time{0});
  const Response response =
      answer(server, handshake({}, std::string(kWatch) + "&timeoutSeconds=5"));
  Stream& stream = *response.stream;
  CHECK(messages(stream).empty());
  int woken = 0;
  stream.on_ready([&] { ++woken; });
  make_config_map(server, "a");
  CHECK(woken == 1);
  CHECK(messages(stream).size() == 1);
  CHECK_FALSE(stream.ended());
  server.advance(Time{6'000'000'000});
  CHECK(messages(stream).empty());
  CHECK(stream.ended());
}

}  // namespace
}  // namespace tabernetes::server

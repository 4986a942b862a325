#include "server/discovery/openapi_endpoint.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../../recordings.h"
#include "base/crypto/hash.h"
#include "base/time/rfc3339.h"
#include "codec/gnostic.h"

namespace tabernetes::server {
namespace {

const Time kNow = *parse_rfc3339("2026-03-01T12:00:00Z");

std::string header(const Response& response, std::string_view name) {
  return std::string(find_header(response.headers, name));
}

struct Server {
  OpenApiDocuments documents{schema::Catalogue::built_in(), {.cbor = true}, nullptr};

  Response get(std::string_view path, Headers headers = {}, std::string_view hash = {}) {
    Request request;
    request.method = "GET";
    request.headers = std::move(headers);
    const OpenApiCall call{.documents = documents,
                           .request = request,
                           .hash = hash,
                           .modified = *parse_rfc3339("2026-02-01T12:00:00Z"),
                           .now = kNow};
    return path == "/openapi/v2" ? answer_openapi_v2(call) : answer_openapi_v3(call, path);
  }
};

TEST_CASE("openapi endpoint: the index lists every document with its hash", "[server]") {
  Server server;
  const Response response = server.get("/openapi/v3", {{"accept", "text/html"}});
  CHECK(response.status == 200);
  CHECK(header(response, "Content-Type") == "text/plain; charset=utf-8");
  CHECK(header(response, "Etag").empty());
  const std::string text = response.body.flatten();
  json::Arena arena;
  const auto index = codec::read_json(text, arena);
  REQUIRE(index.ok());
  CHECK(index.value.find("paths")->size() ==
        schema::openapi_v3_keys(schema::Catalogue::built_in()).size());
  const json::Value* url = index.value.at({"paths", "apis/apps/v1", "serverRelativeURL"});
  REQUIRE(url != nullptr);
  const std::string document = server.get("/openapi/v3/apis/apps/v1").body.flatten();
  CHECK(url->as_string() == "/openapi/v3/apis/apps/v1?hash=" + sha512_hex_upper(document));
}

TEST_CASE("openapi endpoint: a document with and without its hash", "[server]") {
  Server server;
  const Response plain = server.get("/openapi/v3/version", {{"accept", "application/json"}});
  const std::string hash = sha512_hex_upper(plain.body.flatten());
  const std::string tag = "\"" + hash + "\"";
  CHECK(plain.status == 200);
  CHECK(plain.headers == Headers{{"Cache-Control", "no-cache, private"},
                                 {"Vary", "Accept"},
                                 {"Content-Type", "application/json"},
                                 {"Accept-Ranges", "bytes"},
                                 {"Etag", tag},
                                 {"Last-Modified", "Sun, 01 Feb 2026 12:00:00 GMT"}});

  const Response hashed = server.get("/openapi/v3/version", {}, hash);
  CHECK(hashed.status == 200);
  CHECK(header(hashed, "Cache-Control") == "public, immutable");
  CHECK(header(hashed, "Expires") == "Mon, 01 Mar 2027 12:00:00 UTC");
  CHECK(hashed.body.flatten() == plain.body.flatten());

  const Response outdated = server.get("/openapi/v3/version", {}, "0");
  CHECK(outdated.status == 301);
  CHECK(header(outdated, "Location") == "/openapi/v3/version?hash=" + hash);
  CHECK(header(outdated, "Content-Type") == "application/json");
  CHECK(header(outdated, "Etag") == tag);
  CHECK(outdated.body.empty());

  const Response unchanged = server.get("/openapi/v3/version", {{"if-none-match", tag}});
  CHECK(unchanged.status == 304);
  CHECK(header(unchanged, "Etag") == tag);
  CHECK(unchanged.body.empty());
}

TEST_CASE("openapi endpoint: the encoding is negotiated", "[server]") {
  Server server;
  const std::string v3 = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
  const std::string v2 = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
  struct Case {
    std::string path, accept, type;  // no type: 406
  };
  const Case cases[] = {
      {"/openapi/v3/version", "", "application/json"},
      {"/openapi/v3/version", "*/*", "application/json"},
      {"/openapi/v3/version", "application/*", "application/json"},
      {"/openapi/v3/version", "text/html, application/json;q=0.5", "application/json"},
      {"/openapi/v3/version", "application/json;charset=utf-8", "application/json"},
      {"/openapi/v3/version", v3, v3},
      {"/openapi/v3/version", "application/com.github.proto-openapi.spec.v3@v1.0+protobuf", v3},
      {"/openapi/v3/version", "application/json;q=0.5," + v3, v3},
      {"/openapi/v3/version", v2, ""},
      {"/openapi/v3/version", "application/yaml", ""},
      {"/openapi/v2", "", "application/json"},
      {"/openapi/v2", "*/*", "application/json"},
      {"/openapi/v2", v2, v2},
      {"/openapi/v2", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf", v2},
      {"/openapi/v2", v2 + ";q=0.1,application/json;q=0.2", "application/json"},
      {"/openapi/v2", v3, ""},
      {"/openapi/v2", "text/plain", ""},
  };
  for (const Case& c : cases) {
    INFO(c.path << " " << c.accept);
    Headers headers;
    if (!c.accept.empty()) headers.emplace_back("accept", c.accept);
    const Response response = server.get(c.path, headers);
    CHECK(response.status == (c.type.empty() ? 406 : 200));
    CHECK(header(response, "Content-Type") == c.type);
    CHECK(response.body.empty() == c.type.empty());
  }
}

TEST_CASE("openapi endpoint: v2 in both encodings under one tag", "[server]") {
  Server server;
  const Response json = server.get("/openapi/v2");
  const std::string text = json.body.flatten();
  const std::string tag = "\"" + sha512_hex_upper(text) + "\"";
  CHECK(json.headers == Headers{{"Cache-Control", "no-cache, private"},
                                {"Vary", "Accept-Encoding"},
                                {"Vary", "Accept"},
                                {"Content-Type", "application/json"},
                                {"Accept-Ranges", "bytes"},
                                {"Etag", tag},
                                {"Last-Modified", "Sun, 01 Feb 2026 12:00:00 GMT"}});
  const Response protobuf = server.get(
      "/openapi/v2", {{"accept", "application/com.github.proto-openapi.spec.v2@v1.0+protobuf"}});
  CHECK(protobuf.body.flatten() == codec::gnostic_v2(text));
  CHECK(header(protobuf, "Etag") == tag);
  CHECK(server.get("/openapi/v2", {{"if-none-match", tag}}).status == 304);
  CHECK(server.get("/openapi/v2", {{"range", "bytes=0-9"}}).body.flatten() == R"({"swagger")");
}

TEST_CASE("openapi endpoint: what there is not, and what cannot be accepted", "[server]") {
  Server server;
  for (const char* path : {"/openapi/v3/", "/openapi/v3/apis/nope/v1", "/openapi/v3/api/"}) {
    INFO(path);
    const Response response = server.get(path, {{"accept", "text/html"}});
    CHECK(response.status == 404);
    CHECK(response.body.empty());
    CHECK(response.headers == Headers{{"Cache-Control", "no-cache, private"}});
  }
  const Response refused = server.get("/openapi/v3/api/v1", {{"accept", "application/yaml"}});
  CHECK(refused.status == 406);
  CHECK(refused.body.empty());
  CHECK(refused.headers == Headers{{"Cache-Control", "no-cache, private"}, {"Vary", "Accept"}});
}

}  // namespace
}  // namespace tabernetes::server

#include "server/openapi_endpoint.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../recordings.h"
#include "base/hash.h"
#include "base/rfc3339.h"

namespace tabernetes::server {
namespace {

const Time kNow = *parse_rfc3339("2026-03-01T12:00:00Z");

std::string header(const Response& response, std::string_view name) {
  return std::string(find_header(response.headers, name));
}

struct Server {
  OpenApiDocuments documents{schema::Catalogue::built_in(), {.cbor = true}};
  Response get(const OpenApiRequest& request) {
    return answer_openapi_v3(documents, request, kNow);
  }
};

TEST_CASE("openapi endpoint: the index lists every document with its hash", "[server]") {
  Server server;
  const Response response = server.get({.path = "/openapi/v3", .accept = "text/html"});
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
  const std::string document = server.get({.path = "/openapi/v3/apis/apps/v1"}).body.flatten();
  CHECK(url->as_string() == "/openapi/v3/apis/apps/v1?hash=" + sha512_hex_upper(document));
}

TEST_CASE("openapi endpoint: a document with and without its hash", "[server]") {
  Server server;
  const Response plain = server.get({.path = "/openapi/v3/version", .accept = "application/json"});
  CHECK(plain.status == 200);
  CHECK(header(plain, "Content-Type") == "application/json");
  CHECK(header(plain, "Cache-Control") == "no-cache, private");
  CHECK(header(plain, "Vary") == "Accept");
  CHECK(header(plain, "Expires").empty());
  const std::string tag = header(plain, "Etag");
  const std::string hash = sha512_hex_upper(plain.body.flatten());
  CHECK(tag == "\"" + hash + "\"");

  const Response hashed = server.get({.path = "/openapi/v3/version", .hash = hash});
  CHECK(hashed.status == 200);
  CHECK(header(hashed, "Cache-Control") == "public, immutable");
  CHECK(header(hashed, "Expires") == "Mon, 01 Mar 2027 12:00:00 UTC");
  CHECK(hashed.body.flatten() == plain.body.flatten());

  const Response outdated = server.get({.path = "/openapi/v3/version", .hash = "0"});
  CHECK(outdated.status == 301);
  CHECK(header(outdated, "Location") == "/openapi/v3/version?hash=" + hash);
  CHECK(header(outdated, "Content-Type") == "application/json");
  CHECK(header(outdated, "Etag") == tag);
  CHECK(outdated.body.empty());
}

TEST_CASE("openapi endpoint: If-None-Match compares tags as net/http does", "[server]") {
  Server server;
  const std::string tag = header(server.get({.path = "/openapi/v3/version"}), "Etag");
  struct Case {
    std::string sent;
    int status;
  };
  for (const Case& c : {Case{tag, 304}, Case{"W/" + tag, 304}, Case{"\"x\", " + tag, 304},
                        Case{"*", 304}, Case{"\"x\"", 200}, Case{"", 200}}) {
    INFO(c.sent);
    const Response response = server.get({.path = "/openapi/v3/version", .if_none_match = c.sent});
    CHECK(response.status == c.status);
    CHECK(response.body.empty() == (c.status == 304));
    CHECK(header(response, "Etag") == tag);
  }
}

TEST_CASE("openapi endpoint: what there is not, and what cannot be accepted", "[server]") {
  Server server;
  for (const char* path :
       {"/openapi/v3/", "/openapi/v3/apis/nope/v1", "/openapi/v3/api/", "/openapi/v3x"}) {
    INFO(path);
    const Response response = server.get({.path = path});
    CHECK(response.status == 404);
    CHECK(response.body.empty());
    CHECK(header(response, "Content-Type").empty());
  }
  const Response refused = server.get({.path = "/openapi/v3/api/v1", .accept = "application/yaml"});
  CHECK(refused.status == 406);
  CHECK(refused.body.empty());
  CHECK(header(refused, "Vary") == "Accept");
  for (const char* accept : {"*/*", "application/*", "text/html, application/json;q=0.5"}) {
    CHECK(server.get({.path = "/openapi/v3/version", .accept = accept}).status == 200);
  }
}

}  // namespace
}  // namespace tabernetes::server

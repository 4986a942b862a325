#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>

#include "../../faults.h"
#include "../requests.h"
#include "tabernetes/api_server.h"
#include "tabernetes/options.h"

namespace tabernetes {
namespace {

constexpr std::string_view kFile =
    R"({"format":1,"kubernetes":"1.36","texts":["a major version"],)"
    R"("types":{"io.k8s.apimachinery.pkg.version.Info":{"major":0}},"parameters":{}})";
constexpr std::string_view kMajor = R"("major":{"description":"a major version","type":"string")";
constexpr std::string_view kVersion = "/openapi/v3/version";

struct Host {
  explicit Host(std::shared_ptr<OpenApiTexts> given = std::make_shared<OpenApiTexts>())
      : texts(std::move(given)), server(options()) {}

  Options options() const {
    Options options;
    options.openapi_texts = texts;
    return options;
  }
  // Returns the body of an answer with status 200.
  static std::string get(ApiServer& server, std::string_view target) {
    Request request;
    request.method = "GET";
    request.target = target;
    std::string body;
    server.handle(std::move(request), [&](Response response) {
      CHECK(response.status == 200);
      body = response.body.flatten();
    });
    return body;
  }
  std::string get(std::string_view target) { return get(server, target); }

  std::shared_ptr<OpenApiTexts> texts;
  ApiServer server;
};

TEST_CASE("openapi texts: only requests for OpenAPI documents lack them", "[server]") {
  const OpenApiTexts texts;
  CHECK(texts.lacks("/openapi/v2"));
  CHECK(texts.lacks("/openapi/v2?timeout=32s"));
  CHECK(texts.lacks("/openapi/v3"));
  CHECK(texts.lacks("/openapi/v3/apis/apps/v1?hash=A"));
  CHECK(!texts.lacks("/openapi/v3x"));
  CHECK(!texts.lacks("/openapi"));
  CHECK(!texts.lacks("/api/v1/pods?x=/openapi/v2"));
  CHECK(texts.give(kFile));
  CHECK(!texts.lacks("/openapi/v2"));
}

TEST_CASE("openapi texts: documents, forks and views have what was given", "[server]") {
  Host host;
  const auto fork = host.server.fork();
  const auto view = host.server.view();
  CHECK(host.texts->give(kFile));
  const std::string document = host.get(kVersion);
  CHECK(document.find(kMajor) != std::string::npos);
  CHECK(document.find("get the version information for this server") != std::string::npos);
  CHECK(Host::get(*fork, kVersion) == document);
  Request request;
  request.method = "GET";
  request.target = kVersion;
  const auto answer = view->answer(request, Time{});
  REQUIRE(answer);
  CHECK(answer->body.flatten() == document);
}

TEST_CASE("openapi texts: the hash is of the document with its texts", "[server]") {
  Host with, without;
  REQUIRE(with.texts->give(kFile));
  without.texts->give_none();
  const std::string index = with.get("/openapi/v3");
  CHECK(index != without.get("/openapi/v3"));
  const std::size_t at = index.find("/openapi/v3/version?hash=");
  REQUIRE(at != std::string::npos);
  const std::string url = index.substr(at, index.find('"', at) - at);
  CHECK(with.get(url).find(kMajor) != std::string::npos);
}

TEST_CASE("openapi texts: what is given too late or is damaged changes nothing", "[server]") {
  Host late;
  const std::string document = late.get(kVersion);
  CHECK(document.find("description\":\"a major") == std::string::npos);
  CHECK(!late.texts->lacks(kVersion));
  CHECK(late.texts->give(kFile));
  CHECK(late.get(kVersion) == document);

  Host damaged;
  CHECK(tests::message_of(damaged.texts->give("{}")) == "it has another format");
  CHECK(!damaged.texts->lacks(kVersion));
  CHECK(damaged.get(kVersion) == document);

  ApiServer none;
  CHECK(Host::get(none, kVersion) == document);
}

TEST_CASE("openapi texts: documents of custom resources have them, too", "[server]") {
  Host host;
  REQUIRE(host.texts->give(R"({"format":1,"kubernetes":"1.36","texts":["try only"],"types":{},)"
                           R"("parameters":{"dryRun":0}})"));
  CHECK(host.server
            .load(R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)"
                  R"("metadata":{"name":"apples.example.com"},"spec":{"group":"example.com",)"
                  R"("names":{"plural":"apples","kind":"Apple"},"scope":"Namespaced","versions":[)"
                  R"({"name":"v1","served":true,"storage":true,"subresources":{"status":{},)"
                  R"("scale":{"specReplicasPath":".spec.n","statusReplicasPath":".status.n"}},)"
                  R"("schema":{"openAPIV3Schema":{"type":"object","description":"It is <red>.",)"
                  R"("properties":{"spec":{"type":"object","properties":{"n":{"type":"integer"}}},)"
                  R"("status":{"type":"object","properties":{"n":{"type":"integer"}}}}}}}]}})")
            .empty());
  host.server.advance(host.server.time() + Duration::from_seconds(5));
  const std::string v3 = host.get("/openapi/v3/apis/example.com/v1");
  CHECK(v3.find(R"("description":"list objects of kind Apple")") != std::string::npos);
  CHECK(v3.find(R"("description":"create an Apple")") != std::string::npos);
  CHECK(v3.find(R"("description":"replace scale of the specified Apple")") != std::string::npos);
  CHECK(v3.find(R"("name":"name","in":"path","description":"name of the Apple")") !=
        std::string::npos);
  CHECK(v3.find(R"("name":"dryRun","in":"query","description":"try only")") != std::string::npos);
  CHECK(v3.find(R"("description":"It is \u003cred\u003e.")") != std::string::npos);
  CHECK(v3.find("watch individual") == std::string::npos);
  const std::string v2 = host.get("/openapi/v2");
  CHECK(v2.find(R"("description":"list objects of kind Apple")") != std::string::npos);
}

}  // namespace
}  // namespace tabernetes

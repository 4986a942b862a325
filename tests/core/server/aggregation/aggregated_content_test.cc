// Tests the deletion of a namespace with objects in an aggregated API.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "fruit_server.h"
#include "server/aggregation/loop_calls.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kApples = "/apis/fruit.example/v1/namespaces/a/apples";
constexpr std::string_view kPears = "/apis/fruit.example/v1/namespaces/a/pears";
constexpr std::string_view kDone = R"({"kind":"Status","apiVersion":"v1","status":"Success"})";
constexpr std::string_view kNothing = R"({"kind":"PartialObjectMetadataList","items":[]})";

class DeletionServer : public FruitServer {
 public:
  DeletionServer() : FruitServer({"namespace-controller"}) {
    REQUIRE(ask(*this, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"a"}})").status == 201);
    REQUIRE(ask(*this, "POST", "/api/v1/namespaces/a/configmaps", R"({"metadata":{"name":"m"}})")
                .status == 201);
  }
  void begin_deletion() {
    REQUIRE(ask(*this, "DELETE", "/api/v1/namespaces/a").status == 200);
    wait(1);
  }
  bool there() { return get(*this, "/api/v1/namespaces/a").starts_with("200"); }
  // Returns STATUS REASON: MESSAGE of a condition.
  std::string condition(std::string_view type) {
    const std::string text = get(*this, "/api/v1/namespaces/a");
    const std::size_t at = text.find("\"type\":\"" + std::string(type) + "\"");
    if (at == std::string::npos) return {};
    const auto member = [&](std::string_view name) {
      const std::string mark = "\"" + std::string(name) + "\":\"";
      const std::size_t begin = text.find(mark, at) + mark.size();
      return text.substr(begin, text.find('"', begin) - begin);
    };
    return member("status") + " " + member("reason") + ": " + member("message");
  }
  // Answers everything about pears with nothing.
  void answer_pears() {
    answer("GET", kPears, 200, std::string(kNothing));
    answer("GET", kPears, 200, std::string(kNothing));
  }
};

TEST_CASE("namespace deletion: objects of aggregated APIs go, by collection or one by one") {
  DeletionServer server;
  server.make_available();
  server.begin_deletion();
  const auto collection = server.call_of("DELETE", kApples);
  REQUIRE(collection);
  CHECK(collection->body ==
        R"({"kind":"DeleteOptions","apiVersion":"v1","propagationPolicy":"Background"})");
  CHECK(find_header(collection->headers, "content-type") == "application/json");
  CHECK(find_header(collection->headers, "X-Remote-User") ==
        "system:serviceaccount:kube-system:namespace-controller");
  server.answer(*collection, 200, std::string(kDone));
  server.answer("GET", kPears, 200,
                R"({"items":[{"metadata":{"name":"x"}},{"metadata":{"name":"y"}}]})");
  server.answer("DELETE", std::string(kPears) + "/x", 200, std::string(kDone));
  server.answer("DELETE", std::string(kPears) + "/y", 404, std::string(kDone));
  server.answer("GET", kApples, 200, std::string(kNothing));
  CHECK(server.there());
  server.answer("GET", kPears, 200, std::string(kNothing));
  CHECK_FALSE(server.there());
  CHECK_FALSE(server.call_of("GET", "/apis/fruit.example/v1/namespaces/a/trees"));
}

TEST_CASE("namespace deletion: what remains in aggregated APIs is told, and looked at again") {
  DeletionServer server;
  server.make_available();
  server.begin_deletion();
  server.answer("DELETE", kApples, 200, std::string(kDone));
  server.answer_pears();
  server.answer("GET", kApples, 200,
                R"({"items":[{"metadata":{"name":"x","finalizers":["example/hold"]}}]})");
  CHECK(server.condition("NamespaceContentRemaining") ==
        "True SomeResourcesRemain: Some resources are remaining: apples.fruit.example has 1 "
        "resource instances");
  CHECK(server.condition("NamespaceFinalizersRemaining") ==
        "True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: "
        "example/hold in 1 resource instances");
  CHECK(server.condition("NamespaceDeletionContentFailure") ==
        "False ContentDeleted: All content successfully deleted, may be waiting on finalization");
  server.wait(8'000);
  server.answer("DELETE", kApples, 200, std::string(kDone));
  server.answer_pears();
  server.answer("GET", kApples, 200, std::string(kNothing));
  server.wait(1);
  // The conditions that it writes make the loop look once more, unless the namespace is gone.
  CHECK_FALSE(server.there());
}

TEST_CASE("namespace deletion: failures of aggregated API servers are told in client-go's words") {
  DeletionServer server;
  server.make_available();
  server.begin_deletion();
  server.answer("DELETE", kApples, 503, "service unavailable\n");
  server.answer("GET", kPears, 405, "");
  server.answer("GET", kPears, 403, R"({"kind":"Status","message":"pears are forbidden"})");
  CHECK(server.condition("NamespaceDeletionContentFailure") ==
        "True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: pears are "
        "forbidden, the server is currently unable to handle the request");
  server.wait(10);
  CHECK(server.call_of("DELETE", kApples));
}

TEST_CASE(
    "namespace deletion: it does not end while an aggregated API does not tell its resources") {
  DeletionServer server;
  server.answer("GET", kFruit, 500, "");
  server.begin_deletion();
  CHECK(server.condition("NamespaceDeletionDiscoveryFailure") ==
        "True DiscoveryFailed: Discovery failed for some groups, 1 failing: unable to retrieve the "
        "complete list of server APIs: fruit.example/v1: stale GroupVersion discovery: "
        "fruit.example/v1");
  CHECK(server.condition("NamespaceDeletionContentFailure").starts_with("False"));
  CHECK(get(server, "/api/v1/namespaces/a/configmaps/m").starts_with("404"));
  CHECK(server.there());
  REQUIRE(ask(server, "DELETE", std::string(kApiServices) + "/v1.fruit.example").status == 200);
  server.wait(60'000);
  CHECK_FALSE(server.there());
}

TEST_CASE("namespace deletion: without aggregated APIs nobody is asked") {
  DeletionServer server;
  REQUIRE(ask(server, "DELETE", std::string(kApiServices) + "/v1.fruit.example").status == 200);
  server.begin_deletion();
  CHECK_FALSE(server.there());
}

}  // namespace
}  // namespace tabernetes::server

// Tests the garbage collector with objects of an aggregated API.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "fruit_server.h"
#include "server/aggregation/aggregated_objects.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kAll = "/apis/fruit.example/v1/apples";
constexpr std::string_view kHere = "/apis/fruit.example/v1/namespaces/default/apples";
constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kWatched =
    R"({"kind":"APIResourceList","groupVersion":"fruit.example/v1","resources":[)"
    R"({"name":"apples","singularName":"apple","namespaced":true,"kind":"Apple",)"
    R"("verbs":["create","delete","get","list","patch","watch"]}]})";

std::string reference(std::string_view kind, std::string_view api_version, std::string_view name,
                      std::string_view uid, bool blocks = false) {
  return R"({"apiVersion":")" + std::string(api_version) + R"(","kind":")" + std::string(kind) +
         R"(","name":")" + std::string(name) + R"(","uid":")" + std::string(uid) + "\"" +
         (blocks ? R"(,"blockOwnerDeletion":true})" : "}");
}

std::string apple(std::string_view name, std::string_view owners, std::string_view more = {}) {
  return R"({"metadata":{"name":")" + std::string(name) +
         R"(","namespace":"default","resourceVersion":"5","uid":"u-)" + std::string(name) +
         R"(","ownerReferences":[)" + std::string(owners) + "]" + std::string(more) + "}}";
}

class GarbageServer : public FruitServer {
 public:
  GarbageServer() : FruitServer({"garbage-collector-controller", "resourcequota-controller"}) {
    make_available(kWatched);
  }

  // Answers the list of all apples, and begins the watch.
  void list(std::string items) {
    const auto asked = call_of("GET", kAll);
    REQUIRE(asked);
    CHECK(find_header(asked->headers, "X-Remote-User") ==
          "system:serviceaccount:kube-system:generic-garbage-collector");
    answer(*asked, 200, R"({"metadata":{"resourceVersion":"5"},"items":[)" + items + "]}");
    const auto watch = call_of(
        "GET", std::string(kAll) + "?allowWatchBookmarks=true&resourceVersion=5&watch=true");
    REQUIRE(watch);
    watch_ = watch->id;
    ProxyAnswer begun;
    begun.status = 200;
    begun.more = true;
    answer_proxy(watch_, std::move(begun));
    wait(1);
  }
  void tell(std::string_view type, const std::string& object) {
    continue_proxy_answer(watch_,
                          R"({"type":")" + std::string(type) + R"(","object":)" + object + "}\n",
                          ProxiedBody::kMore);
    wait(1);
  }
  // Creates a ConfigMap and returns its uid.
  std::string make(std::string_view name, std::string_view owners = {},
                   std::string_view more = {}) {
    const Response made =
        ask(*this, "POST", kMaps,
            R"({"metadata":{)" + std::string(more) + R"("name":")" + std::string(name) +
                R"(","ownerReferences":[)" + std::string(owners) + "]}}");
    REQUIRE(made.status == 201);
    const std::string text = made.body.flatten();
    const std::size_t at = text.find(R"("uid":")", text.find("\"namespace\"")) + 7;
    wait(1);
    return text.substr(at, text.find('"', at) - at);
  }
  void erase(std::string_view name, std::string_view propagation) {
    const Response gone = ask(*this, "DELETE", std::string(kMaps) + "/" + std::string(name),
                              R"({"propagationPolicy":")" + std::string(propagation) + "\"}");
    REQUIRE(gone.status == 200);
    wait(1);
  }
  bool there(std::string_view name) {
    return get(*this, std::string(kMaps) + "/" + std::string(name)).starts_with("200");
  }
  std::optional<ProxyCall> change_of(std::string_view method, std::string_view name) {
    return call_of(method, std::string(kHere) + "/" + std::string(name));
  }

 private:
  std::uint64_t watch_ = 0;
};

TEST_CASE("garbage elsewhere: an object whose owner is gone is deleted") {
  GarbageServer server;
  const std::string owner = server.make("owner");
  server.list(apple("a", reference("ConfigMap", "v1", "owner", owner)) + "," +
              apple("b", reference("ConfigMap", "v1", "never", "u-never")));
  const auto at_once = server.change_of("DELETE", "b");
  REQUIRE(at_once);
  CHECK(at_once->body ==
        R"({"kind":"DeleteOptions","apiVersion":"v1","preconditions":)"
        R"({"uid":"u-b","resourceVersion":"5"},"propagationPolicy":"Background"})");
  CHECK_FALSE(server.change_of("DELETE", "a"));
  server.erase("owner", "Background");
  const auto later = server.change_of("DELETE", "a");
  REQUIRE(later);
  server.answer(*later, 200, "{}");
  server.tell("DELETED", apple("a", ""));
  server.wait(120'000);
  CHECK_FALSE(server.change_of("DELETE", "a"));
}

TEST_CASE("garbage elsewhere: an object that has another owner loses the reference alone") {
  GarbageServer server;
  const std::string one = server.make("one");
  const std::string two = server.make("two");
  server.list("");
  server.tell("ADDED", apple("a", reference("ConfigMap", "v1", "one", one) + "," +
                                      reference("ConfigMap", "v1", "two", two)));
  server.erase("one", "Background");
  const auto patch = server.change_of("PATCH", "a");
  REQUIRE(patch);
  CHECK(find_header(patch->headers, "content-type") == "application/merge-patch+json");
  CHECK(patch->body == R"({"metadata":{"ownerReferences":[)" +
                           reference("ConfigMap", "v1", "two", two) +
                           R"(],"resourceVersion":"5","uid":"u-a"}})");
}

TEST_CASE("garbage elsewhere: an object there holds up the foreground deletion of its owner") {
  GarbageServer server;
  const std::string owner = server.make("owner");
  server.list(apple("a", reference("ConfigMap", "v1", "owner", owner, true)));
  server.erase("owner", "Foreground");
  CHECK(server.there("owner"));
  const auto deletion = server.change_of("DELETE", "a");
  REQUIRE(deletion);
  server.answer(*deletion, 200, "{}");
  CHECK(server.there("owner"));
  server.tell("DELETED", apple("a", reference("ConfigMap", "v1", "owner", owner, true)));
  CHECK_FALSE(server.there("owner"));
}

TEST_CASE("garbage elsewhere: an owner that orphans lets its dependents there go first") {
  GarbageServer server;
  const std::string owner = server.make("owner");
  server.list(apple("a", reference("ConfigMap", "v1", "owner", owner)));
  server.erase("owner", "Orphan");
  CHECK(server.there("owner"));
  const auto patch = server.change_of("PATCH", "a");
  REQUIRE(patch);
  CHECK(patch->body.starts_with(R"({"metadata":{"ownerReferences":[],)"));
  server.answer(*patch, 200, "{}");
  server.wait(10);
  CHECK_FALSE(server.there("owner"));
  CHECK_FALSE(server.change_of("DELETE", "a"));
}

TEST_CASE("garbage elsewhere: an object here goes with its owner there, once that is certain") {
  GarbageServer server;
  server.list(apple("a", ""));
  server.make("mine", reference("Apple", "fruit.example/v1", "a", "u-a"));
  server.make("wrong", reference("Apple", "fruit.example/v1", "b", "u-b"));
  CHECK(server.there("mine"));
  server.answer(*server.change_of("GET", "b"), 200, R"({"metadata":{"uid":"another"}})");
  server.wait(1);
  CHECK_FALSE(server.there("wrong"));
  server.tell("DELETED", apple("a", ""));
  CHECK(server.there("mine"));
  server.answer(*server.change_of("GET", "a"), 404, "");
  server.wait(1);
  CHECK_FALSE(server.there("mine"));
}

constexpr std::string_view kForeground =
    R"(,"deletionTimestamp":"2026-01-01T00:00:00Z","finalizers":["foregroundDeletion"])";

TEST_CASE("garbage elsewhere: a foreground deletion there ends once no dependent blocks it") {
  GarbageServer server;
  server.list(apple("a", ""));
  const std::string owner = reference("Apple", "fruit.example/v1", "a", "u-a", true);
  server.make("blocking", owner);
  server.make("free", reference("Apple", "fruit.example/v1", "a", "u-a"));
  server.tell("ADDED", apple("b", owner));
  server.tell("MODIFIED", apple("a", "", kForeground));
  CHECK_FALSE(server.there("blocking"));
  CHECK_FALSE(server.there("free"));
  CHECK_FALSE(server.change_of("PATCH", "a"));
  const auto deletion = server.change_of("DELETE", "b");
  REQUIRE(deletion);
  CHECK(deletion->body.find(R"("propagationPolicy":"Background")") != std::string::npos);
  server.answer(*deletion, 200, "{}");
  server.tell("DELETED", apple("b", owner));
  const auto patch = server.change_of("PATCH", "a");
  REQUIRE(patch);
  CHECK(find_header(patch->headers, "content-type") == "application/merge-patch+json");
  CHECK(patch->body == R"({"metadata":{"resourceVersion":"5","finalizers":null}})");
  server.answer(*patch, 200, "{}");
  server.tell("DELETED", apple("a", "", kForeground));
  server.wait(120'000);
  CHECK_FALSE(server.change_of("PATCH", "a"));
}

TEST_CASE("garbage elsewhere: a dependent here that goes slowly holds up its owner there") {
  GarbageServer server;
  server.list(apple("a", ""));
  const std::string owner = reference("Apple", "fruit.example/v1", "a", "u-a", true);
  server.make("slow", owner, R"("finalizers":["example.com/wait"],)");
  server.tell("MODIFIED", apple("a", "",
                                R"(,"deletionTimestamp":"2026-01-01T00:00:00Z",)"
                                R"("finalizers":["x/y","foregroundDeletion"])"));
  CHECK(server.there("slow"));
  CHECK_FALSE(server.change_of("PATCH", "a"));
  REQUIRE(ask(server, "PUT", std::string(kMaps) + "/slow",
              R"({"metadata":{"name":"slow","ownerReferences":[)" + owner + "]}}")
              .status == 200);
  server.wait(1);
  CHECK_FALSE(server.there("slow"));
  const auto patch = server.change_of("PATCH", "a");
  REQUIRE(patch);
  CHECK(patch->body == R"({"metadata":{"resourceVersion":"5","finalizers":["x/y"]}})");
}

TEST_CASE("garbage elsewhere: a failed end of a deletion is tried again") {
  GarbageServer server;
  server.list(apple("a", "", kForeground));
  auto patch = server.change_of("PATCH", "a");
  REQUIRE(patch);
  server.answer(*patch, 500, "{}");
  server.wait(29'000);
  CHECK_FALSE(server.change_of("PATCH", "a"));
  server.wait(2'000);
  patch = server.change_of("PATCH", "a");
  REQUIRE(patch);
  server.answer(*patch, 409, "{}");
  server.wait(60'000);
  CHECK_FALSE(server.change_of("PATCH", "a"));
  server.tell("MODIFIED", apple("a", "", kForeground));
  CHECK(server.change_of("PATCH", "a"));
}

TEST_CASE("garbage elsewhere: an owner there that orphans lets its dependents go first") {
  GarbageServer server;
  server.list(apple("a", ""));
  const std::string owner = reference("Apple", "fruit.example/v1", "a", "u-a");
  server.make("mine", owner);
  server.tell("ADDED", apple("b", owner));
  server.tell("MODIFIED", apple("a", "",
                                R"(,"deletionTimestamp":"2026-01-01T00:00:00Z",)"
                                R"("finalizers":["orphan"])"));
  CHECK(get(server, std::string(kMaps) + "/mine").find("ownerReferences\":") == std::string::npos);
  CHECK_FALSE(server.change_of("PATCH", "a"));
  const auto dependent = server.change_of("PATCH", "b");
  REQUIRE(dependent);
  CHECK(dependent->body ==
        R"({"metadata":{"ownerReferences":[],"resourceVersion":"5","uid":"u-b"}})");
  server.answer(*dependent, 200, "{}");
  server.tell("MODIFIED", apple("b", ""));
  const auto patch = server.change_of("PATCH", "a");
  REQUIRE(patch);
  CHECK(patch->body == R"({"metadata":{"resourceVersion":"5","finalizers":null}})");
  server.answer(*patch, 200, "{}");
  server.tell("DELETED", apple("a", ""));
  server.wait(120'000);
  CHECK_FALSE(server.change_of("PATCH", "b"));
  CHECK_FALSE(server.change_of("DELETE", "b"));
  CHECK(server.there("mine"));
}

TEST_CASE("garbage elsewhere: a cycle of owners there that wait for each other is broken") {
  GarbageServer server;
  const std::string of_a = reference("Apple", "fruit.example/v1", "a", "u-a", true);
  const std::string of_b = reference("Apple", "fruit.example/v1", "b", "u-b", true);
  server.list(apple("a", of_b, kForeground) + "," + apple("b", of_a));
  const auto patch = server.change_of("PATCH", "b");
  REQUIRE(patch);
  CHECK(patch->body == R"({"metadata":{"ownerReferences":[{"apiVersion":"fruit.example/v1",)"
                       R"("kind":"Apple","name":"a","uid":"u-a","blockOwnerDeletion":false}],)"
                       R"("resourceVersion":"5","uid":"u-b"}})");
  server.answer(*patch, 200, "{}");
  server.tell("MODIFIED", apple("b", reference("Apple", "fruit.example/v1", "a", "u-a")));
  const auto deletion = server.change_of("DELETE", "b");
  REQUIRE(deletion);
  CHECK(deletion->body.find(R"("propagationPolicy":"Foreground")") != std::string::npos);
  CHECK(server.change_of("PATCH", "a"));
}

TEST_CASE("garbage elsewhere: a watch that ends begins anew, with what is there then") {
  GarbageServer server;
  server.list(apple("a", ""));
  server.make("mine", reference("Apple", "fruit.example/v1", "a", "u-a"));
  server.tell("ERROR", R"({"kind":"Status","code":410})");
  CHECK_FALSE(server.take_abandoned_proxy_calls().empty());
  server.wait(1'000);
  server.list("");
  server.answer(*server.change_of("GET", "a"), 404, "");
  server.wait(1);
  CHECK_FALSE(server.there("mine"));
}

TEST_CASE("garbage elsewhere: quotas count objects while they are watched") {
  GarbageServer server;
  constexpr std::string_view kQuotas = "/api/v1/namespaces/default/resourcequotas";
  const std::string hard = R"({"count/apples.fruit.example":"9","count/pears.fruit.example":"9"})";
  REQUIRE(ask(server, "POST", kQuotas, R"({"metadata":{"name":"q"},"spec":{"hard":)" + hard + "}}")
              .status == 201);
  server.wait(1);
  const auto used = [&] {
    const std::string text = get(server, std::string(kQuotas) + "/q");
    return text.substr(text.find("},\"status\"") + 19);
  };
  CHECK(used() == hard + "}}\n");
  server.list(apple("a", "") + R"(,{"metadata":{"name":"b","namespace":"other","uid":"u-b"}})");
  CHECK(used() == hard + R"(,"used":{"count/apples.fruit.example":"1"}}})"
                         "\n");
  server.tell("ADDED", apple("c", ""));
  server.tell("MODIFIED", apple("c", ""));
  CHECK(used() == hard + R"(,"used":{"count/apples.fruit.example":"2"}}})"
                         "\n");
  server.tell("DELETED", apple("a", ""));
  server.tell("DELETED", apple("c", ""));
  CHECK(used() == hard + R"(,"used":{"count/apples.fruit.example":"0"}}})"
                         "\n");
}

}  // namespace
}  // namespace tabernetes::server

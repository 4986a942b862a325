#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../requests.h"

namespace tabernetes::server {
namespace {

constexpr std::string_view kStatefulSets = "/apis/apps/v1/namespaces/default/statefulsets";
constexpr std::string_view kScale = "/apis/apps/v1/namespaces/default/statefulsets/db/scale";

void create_set(ApiServer& server) {
  const Response created =
      ask(server, "POST", kStatefulSets, R"({"kind":"StatefulSet","apiVersion":"apps/v1",
    "metadata":{"name":"db"},"spec":{"replicas":2,"serviceName":"db",
    "selector":{"matchLabels":{"app":"db"},"matchExpressions":[{"key":"tier","operator":"In","values":["b","a"]}]},
    "template":{"metadata":{"labels":{"app":"db","tier":"a"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})");
  REQUIRE(created.status == 201);
}

Response patch_scale(ApiServer& server, std::string_view body) {
  Request request = request_of("PATCH", kScale, body);
  request.headers = {{"content-type", "application/merge-patch+json"}};
  Response answer;
  server.handle(std::move(request), [&](Response response) { answer = std::move(response); });
  return answer;
}

TEST_CASE("scale: shows replicas and the whole selector", "[server]") {
  ApiServer server;
  create_set(server);
  const std::string scale = get(server, kScale);
  CHECK(scale.starts_with(
      R"(200 {"kind":"Scale","apiVersion":"autoscaling/v1","metadata":{"name":"db",)"));
  CHECK(scale.ends_with(
      R"x("spec":{"replicas":2},"status":{"replicas":0,"selector":"app=db,tier in (a,b)"}})x"
      "\n"));
}

TEST_CASE("scale: as a table it has its own columns", "[server]") {
  ApiServer server;
  create_set(server);
  Request request = request_of("GET", std::string(kScale) + "?includeObject=None");
  request.headers = {{"accept", "application/json;as=Table;g=meta.k8s.io;v=v1"}};
  std::string table;
  server.handle(std::move(request), [&](Response response) { table = text_of(response); });
  CHECK(table.find(R"("name":"Desired","type":"integer")") != std::string::npos);
  CHECK(table.find(R"("rows":[{"cells":["db",2,0,)") != std::string::npos);
}

TEST_CASE("scale: a patch may not change what it is, nor go below none", "[server]") {
  ApiServer server;
  create_set(server);
  const std::string before = get(server, kScale);
  CHECK(
      text_of(patch_scale(server, R"({"spec":{"replicas":-1}})"))
          .find(R"("message":"Scale.autoscaling \"db\" is invalid: spec.replicas: Invalid value: )"
                R"(-1: must be greater than or equal to 0","reason":"Invalid")") !=
      std::string::npos);
  CHECK(patch_scale(server, R"({"kind":"StatefulSet","apiVersion":"apps/v1"})").status == 422);
  CHECK(patch_scale(server, R"({"metadata":{"resourceVersion":"2"}})").status == 409);
  CHECK(get(server, kScale) == before);
  CHECK(patch_scale(server, R"({"spec":{"replicas":7}})").status == 200);
  CHECK(get(server, std::string(kStatefulSets) + "/db").find(R"("replicas":7,)") !=
        std::string::npos);
}

TEST_CASE("scale: what is not there has none", "[server]") {
  ApiServer server;
  CHECK(ask(server, "GET", kScale).status == 404);
  CHECK(ask(server, "PUT", kScale, R"({"metadata":{"name":"db"},"spec":{"replicas":1}})").status ==
        404);
  CHECK(ask(server, "GET", "/apis/apps/v1/namespaces/default/daemonsets/db/scale").status == 404);
}

}  // namespace
}  // namespace tabernetes::server

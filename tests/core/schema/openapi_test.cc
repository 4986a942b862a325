#include "schema/openapi.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../recordings.h"

namespace tabernetes::schema {
namespace {

using json::Value;

// The recordings were made with the gate on.
constexpr OpenApiOptions kWithCbor = {.cbor = true};

struct Document {
  explicit Document(std::string_view key, const OpenApiOptions& options = kWithCbor) {
    text = openapi_v3_document(Catalogue::built_in(), key, options).value_or("");
    root = codec::read_json(text, arena).value;
  }
  std::string text;
  json::Arena arena;
  Value root;
};

TEST_CASE("openapi: documents are those of a real server without descriptions", "[schema]") {
  const tests::Recordings recordings("discovery");
  const auto steps = recordings.steps("openapi-v3-group");
  REQUIRE(steps.size() == 3);
  for (const Value& step : steps) {
    const std::string_view path = tests::path_of(step);
    INFO(path);
    const Document document(path.substr(std::string_view("/openapi/v3/").size()));
    CHECK(document.text == tests::to_text(*tests::body_of(step)));
  }
}

TEST_CASE("openapi: Deployment's paths and schemas are those of a real server", "[schema]") {
  const tests::Recordings recordings("discovery");
  const auto steps = recordings.steps("openapi-v3-deployment");
  REQUIRE(steps.size() == 1);
  const Value& recorded = *tests::body_of(steps[0]);
  const Document document("apis/apps/v1");
  int compared = 0;
  for (const json::Member& path : recorded.find("paths")->members()) {
    INFO(path.key);
    const Value* ours = document.root.find("paths")->find(path.key);
    REQUIRE(ours != nullptr);
    CHECK(tests::to_text(*ours) == tests::to_text(path.value));
    ++compared;
  }
  for (const json::Member& schema : recorded.at({"components", "schemas"})->members()) {
    INFO(schema.key);
    const Value* ours = document.root.at({"components", "schemas", schema.key});
    REQUIRE(ours != nullptr);
    CHECK(tests::to_text(*ours) == tests::to_text(schema.value));
    ++compared;
  }
  CHECK(compared > 10);
}

TEST_CASE("openapi: the keys are those of the recorded index", "[schema]") {
  const tests::Recordings recordings("discovery");
  const auto steps = recordings.steps("openapi-v3-index");
  REQUIRE(steps.size() == 1);
  std::string expected;
  for (const json::Member& path : tests::body_of(steps[0])->find("paths")->members()) {
    // A CRD of another scenario was about.
    if (path.key.find("example.com") == std::string_view::npos) {
      expected.append(path.key).append("\n");
    }
  }
  std::string keys;
  for (const std::string& key : openapi_v3_keys(Catalogue::built_in())) keys += key + "\n";
  CHECK(keys == expected);
}

// Every {"$ref":...} below `value` points to a schema of the document.
void check_references(const Value& value, const Value& schemas) {
  if (value.is_array()) {
    for (const Value& item : value.items()) check_references(item, schemas);
  }
  if (!value.is_object()) return;
  for (const json::Member& member : value.members()) {
    if (member.key == "$ref" && member.value.is_string()) {
      const std::string_view target = member.value.as_string();
      REQUIRE(target.starts_with("#/components/schemas/"));
      INFO(target);
      CHECK(schemas.find(target.substr(21)) != nullptr);
    } else {
      check_references(member.value, schemas);
    }
  }
}

TEST_CASE("openapi: every document is whole", "[schema]") {
  for (const std::string& key : openapi_v3_keys(Catalogue::built_in())) {
    INFO(key);
    const Document document(key, {});
    REQUIRE(document.root.is_object());
    CHECK(tests::to_text(document.root) == document.text);  // well-formed, and no key twice
    check_references(document.root, *document.root.at({"components", "schemas"}));
    CHECK(document.text.find("cbor") == std::string::npos);
  }
  CHECK(!openapi_v3_document(Catalogue::built_in(), "apis/nope/v1", {}));
  CHECK(!openapi_v3_document(Catalogue::built_in(), "", {}));
  CHECK(!openapi_v3_document(Catalogue::built_in(), "apis/certificates.k8s.io/v1beta1", {}));
}

TEST_CASE("openapi: operations have the ids of a real server", "[schema]") {
  const Document document("api/v1");
  struct Case {
    const char* path;
    const char* method;
    const char* id;
    const char* action;
    const char* kind;
  };
  static constexpr Case kCases[] = {
      {"/api/v1/namespaces", "post", "createCoreV1Namespace", "post", "Namespace"},
      {"/api/v1/namespaces/{name}/finalize", "put", "replaceCoreV1NamespaceFinalize", "put",
       "Namespace"},
      {"/api/v1/pods", "get", "listCoreV1PodForAllNamespaces", "list", "Pod"},
      {"/api/v1/watch/pods", "get", "watchCoreV1PodListForAllNamespaces", "watchlist", "Pod"},
      {"/api/v1/namespaces/{namespace}/pods", "delete", "deleteCoreV1CollectionNamespacedPod",
       "deletecollection", "Pod"},
      {"/api/v1/namespaces/{namespace}/pods/{name}/log", "get", "readCoreV1NamespacedPodLog", "get",
       "Pod"},
      {"/api/v1/namespaces/{namespace}/pods/{name}/exec", "post",
       "connectCoreV1PostNamespacedPodExec", "connect", "PodExecOptions"},
      {"/api/v1/namespaces/{namespace}/services/{name}/proxy/{path}", "head",
       "connectCoreV1HeadNamespacedServiceProxyWithPath", "connect", "ServiceProxyOptions"},
      {"/api/v1/namespaces/{namespace}/pods/{name}/eviction", "post",
       "createCoreV1NamespacedPodEviction", "post", "Eviction"},
      {"/api/v1/namespaces/{namespace}/pods/{name}/ephemeralcontainers", "patch",
       "patchCoreV1NamespacedPodEphemeralcontainers", "patch", "Pod"},
      {"/api/v1/watch/nodes/{name}", "get", "watchCoreV1Node", "watch", "Node"},
  };
  for (const Case& c : kCases) {
    INFO(c.path);
    const Value* operation = document.root.at({"paths", c.path, c.method});
    REQUIRE(operation != nullptr);
    CHECK(operation->string_at("operationId") == c.id);
    CHECK(operation->string_at("x-kubernetes-action") == c.action);
    CHECK(operation->find("x-kubernetes-group-version-kind")->string_at("kind") == c.kind);
  }
  CHECK(document.root.at({"paths", "/api/v1/namespaces", "delete"}) == nullptr);
  const Value* parameters =
      document.root.at({"paths", "/api/v1/namespaces/{namespace}/pods/{name}/exec", "parameters"});
  REQUIRE(parameters != nullptr);
  std::string names;
  for (const Value& parameter : parameters->items()) {
    names.append(parameter.string_at("name")).append(" ");
  }
  CHECK(names == "command container name namespace stderr stdin stdout tty ");
}

}  // namespace
}  // namespace tabernetes::schema

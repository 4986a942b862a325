#include "schema/openapi.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "../recordings.h"
#include "codec/openapi_texts.h"

namespace tabernetes::schema {
namespace {

using json::Value;

// The gate was on for the recordings.
constexpr OpenApiOptions kWithCbor = {.cbor = true};

const openapi::Descriptions kNoTexts;

// Removes descriptions, which the recordings lack, also those of answers.
std::string without_descriptions(std::string text) {
  for (const std::string_view description :
       {R"("description":"OK",)", R"("description":"Created",)", R"("description":"Accepted",)",
        R"("description":"Unauthorized")", R"("description":"Bearer Token authentication",)"}) {
    for (std::size_t at = text.find(description); at != std::string::npos;
         at = text.find(description, at)) {
      text.erase(at, description.size());
    }
  }
  return text;
}

struct Document {
  explicit Document(std::string_view key, const OpenApiOptions& options = kWithCbor) {
    text = openapi_v3_document(Catalogue::built_in(), key, options, kNoTexts).value_or("");
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
    CHECK(without_descriptions(document.text) == tests::to_text(*tests::body_of(step)));
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
    CHECK(without_descriptions(tests::to_text(*ours)) == tests::to_text(path.value));
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
    // A CRD of another scenario existed.
    if (path.key.find("example.com") == std::string_view::npos) {
      expected.append(path.key).append("\n");
    }
  }
  std::string keys;
  for (const std::string& key : openapi_v3_keys(Catalogue::built_in())) keys += key + "\n";
  CHECK(keys == expected);
}

// Checks that every {"$ref":...} below `value` that begins with `prefix` points to one of
// `targets`.
void check_references(const Value& value, std::string_view prefix, const Value& targets) {
  if (value.is_array()) {
    for (const Value& item : value.items()) check_references(item, prefix, targets);
  }
  if (!value.is_object()) return;
  for (const json::Member& member : value.members()) {
    if (member.key == "$ref" && member.value.is_string()) {
      const std::string_view target = member.value.as_string();
      if (!target.starts_with(prefix)) continue;
      INFO(target);
      CHECK(targets.find(target.substr(prefix.size())) != nullptr);
    } else {
      check_references(member.value, prefix, targets);
    }
  }
}

TEST_CASE("openapi: every document is whole", "[schema]") {
  for (const std::string& key : openapi_v3_keys(Catalogue::built_in())) {
    INFO(key);
    const Document document(key, {});
    REQUIRE(document.root.is_object());
    CHECK(tests::to_text(document.root) == document.text);  // well-formed, without duplicate keys
    // A document that refers to no type has no schemas.
    const Value* schemas = document.root.at({"components", "schemas"});
    check_references(document.root, "#/components/schemas/",
                     schemas != nullptr ? *schemas : Value::null());
    CHECK(document.text.find("cbor") == std::string::npos);
  }
  CHECK(!openapi_v3_document(Catalogue::built_in(), "apis/nope/v1", {}, kNoTexts));
  CHECK(!openapi_v3_document(Catalogue::built_in(), "", {}, kNoTexts));
  CHECK(!openapi_v3_document(Catalogue::built_in(), "apis/certificates.k8s.io/v1beta1", {},
                             kNoTexts));
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

TEST_CASE("openapi: without the gate, nothing lists the values of enumerations", "[schema]") {
  auto arena = std::make_unique<json::Arena>();
  const Value root =
      codec::read_json(R"({"texts":["Its protocol.\n\nPossible enum values:\n - `\"TCP\"`"],)"
                       R"("types":{"io.k8s.api.core.v1.ContainerPort":{"protocol":0}}})",
                       *arena)
          .value;
  const openapi::Descriptions texts(std::move(arena), root);
  for (const bool enums : {true, false}) {
    json::Arena read;
    const std::string v3 =
        openapi_v3_document(Catalogue::built_in(), "api/v1", {.enums = enums}, texts).value_or("");
    const std::string v2 = openapi_v2_document(Catalogue::built_in(), {.enums = enums}, texts);
    const std::string of_v3 = tests::to_text(*codec::read_json(v3, read).value.at(
        {"components", "schemas", "io.k8s.api.core.v1.ContainerPort", "properties", "protocol"}));
    const std::string of_v2 = tests::to_text(*codec::read_json(v2, read).value.at(
        {"definitions", "io.k8s.api.core.v1.ContainerPort", "properties", "protocol"}));
    if (enums) {
      CHECK(of_v3 == R"({"description":"Its protocol.\n\nPossible enum values:\n - `\"TCP\"`",)"
                     R"("type":"string","default":"TCP","enum":["SCTP","TCP","UDP"]})");
      CHECK(of_v2 == R"({"description":"Its protocol.\n\nPossible enum values:\n - `\"TCP\"`",)"
                     R"("type":"string","enum":["SCTP","TCP","UDP"]})");
    } else {
      CHECK(of_v3 == R"({"description":"Its protocol.","type":"string","default":"TCP"})");
      CHECK(of_v2 == R"({"description":"Its protocol.","type":"string"})");
    }
  }
}

TEST_CASE("openapi: what schemas say beside their fields' types", "[schema]") {
  const Document core("api/v1");
  struct Case {
    const char* type;
    const char* property;  // empty: the schema without its properties
    const char* json;
  };
  static constexpr Case kCases[] = {
      {"io.k8s.api.core.v1.ContainerPort", "protocol",
       R"({"type":"string","default":"TCP","enum":["SCTP","TCP","UDP"]})"},
      {"io.k8s.api.core.v1.ContainerPort", "containerPort",
       R"({"type":"integer","format":"int32","default":0})"},
      {"io.k8s.api.core.v1.PodSpec", "containers",
       R"({"type":"array","items":{"$ref":"#/components/schemas/io.k8s.api.core.v1.Container"},)"
       R"("x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map",)"
       R"("x-kubernetes-patch-merge-key":"name","x-kubernetes-patch-strategy":"merge"})"},
      {"io.k8s.api.core.v1.PersistentVolumeSpec", "claimRef",
       R"({"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.ObjectReference"}],)"
       R"("x-kubernetes-map-type":"granular"})"},
      {"io.k8s.api.core.v1.Pod", "metadata",
       R"({"default":{},"allOf":[{"$ref":)"
       R"("#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]})"},
  };
  for (const Case& c : kCases) {
    INFO(c.property);
    const Value* property =
        core.root.at({"components", "schemas", c.type, "properties", c.property});
    REQUIRE(property != nullptr);
    CHECK(tests::to_text(*property) == c.json);
  }
  const Value* profile = core.root.at(
      {"components", "schemas", "io.k8s.api.core.v1.SeccompProfile", "x-kubernetes-unions"});
  REQUIRE(profile != nullptr);
  CHECK(tests::to_text(*profile) ==
        R"([{"discriminator":"type","fields-to-discriminateBy":{"localhostProfile":)"
        R"("LocalhostProfile"}}])");
  // Fields without a description in the real server are plain references.
  const Document extensions("apis/apiextensions.k8s.io/v1");
  const Value* negation = extensions.root.at(
      {"components", "schemas",
       "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps", "properties",
       "not"});
  REQUIRE(negation != nullptr);
  CHECK(tests::to_text(*negation) ==
        R"({"$ref":"#/components/schemas/)"
        R"(io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"})");
}

struct DocumentV2 {
  explicit DocumentV2(const OpenApiOptions& options) {
    text = openapi_v2_document(Catalogue::built_in(), options, kNoTexts);
    root = codec::read_json(text, arena).value;
  }
  std::string at(std::initializer_list<std::string_view> path) const {
    const Value* value = root.at(path);
    return value != nullptr ? tests::to_text(*value) : "";
  }
  std::string text;
  json::Arena arena;
  Value root;
};

TEST_CASE("openapi: v2 is one whole document", "[schema]") {
  const DocumentV2 document({});
  std::string keys;
  for (const json::Member& member : document.root.members()) {
    keys.append(member.key).append(" ");
  }
  CHECK(keys == "swagger info paths definitions parameters securityDefinitions security ");
  CHECK(tests::to_text(document.root) == document.text);
  check_references(document.root, "#/definitions/", *document.root.find("definitions"));
  check_references(document.root, "#/parameters/", *document.root.find("parameters"));
  CHECK(document.text.find("#/components") == std::string::npos);
  CHECK(document.text.find("cbor") == std::string::npos);
  CHECK(document.text.find("\"default\":{}") == std::string::npos);
  // The numbers of a real server 1.36.
  CHECK(document.root.find("paths")->size() == 408);
  CHECK(document.root.find("definitions")->size() == 584);
  CHECK(document.root.find("parameters")->size() == 47);
}

TEST_CASE("openapi: operations and definitions of v2 are those of a real server", "[schema]") {
  const DocumentV2 document(kWithCbor);
  CHECK(document.at({"paths", "/api/v1/namespaces/{namespace}/pods/{name}", "patch"}) ==
        R"({"consumes":["application/json-patch+json","application/merge-patch+json",)"
        R"("application/strategic-merge-patch+json","application/apply-patch+yaml",)"
        R"("application/apply-patch+cbor"],"produces":["application/json","application/yaml",)"
        R"("application/vnd.kubernetes.protobuf","application/cbor"],"schemes":["https"],)"
        R"("tags":["core_v1"],"operationId":"patchCoreV1NamespacedPod","parameters":[)"
        R"({"$ref":"#/parameters/body-78PwaGsr"},)"
        R"({"uniqueItems":true,"type":"string","name":"dryRun","in":"query"},)"
        R"({"$ref":"#/parameters/fieldManager-7c6nTn1T"},)"
        R"({"uniqueItems":true,"type":"string","name":"fieldValidation","in":"query"},)"
        R"({"$ref":"#/parameters/force-tOGGb0Yi"}],"responses":{)"
        R"("200":{"description":"OK","schema":{"$ref":"#/definitions/io.k8s.api.core.v1.Pod"}},)"
        R"("201":{"description":"Created","schema":{"$ref":)"
        R"("#/definitions/io.k8s.api.core.v1.Pod"}},"401":{"description":"Unauthorized"}},)"
        R"("x-kubernetes-action":"patch","x-kubernetes-group-version-kind":)"
        R"({"group":"","kind":"Pod","version":"v1"}})");
  CHECK(document.at({"paths", "/api/v1/nodes/{name}/proxy/{path}", "parameters"}) ==
        R"([{"uniqueItems":true,"type":"string","name":"name","in":"path","required":true},)"
        R"({"$ref":"#/parameters/path-z6Ciiujn"},{"$ref":"#/parameters/path-rFDtV0x9"}])");
  CHECK(document.at({"paths", "/version/", "get", "consumes"}) == R"(["application/json"])");
  CHECK(document.at({"paths", "/openid/v1/jwks/", "get"}) ==
        R"({"produces":["application/jwk-set+json"],"schemes":["https"],"tags":["openid"],)"
        R"("operationId":"getServiceAccountIssuerOpenIDKeyset","responses":{"200":)"
        R"({"description":"OK","schema":{"type":"string"}},"401":{"description":)"
        R"("Unauthorized"}}})");
  CHECK(document.at({"parameters", "body-78PwaGsr"}) ==
        R"({"name":"body","in":"body","required":true,"schema":)"
        R"({"$ref":"#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.Patch"}})");
  CHECK(document.at({"parameters", "ports-91KROJmm"}) ==
        R"({"uniqueItems":true,"type":"integer","name":"ports","in":"query"})");
  CHECK(document.at({"definitions", "io.k8s.api.core.v1.ContainerPort"}) ==
        R"({"type":"object","required":["containerPort"],"properties":{"containerPort":)"
        R"({"type":"integer","format":"int32"},"hostIP":{"type":"string"},"hostPort":)"
        R"({"type":"integer","format":"int32"},"name":{"type":"string"},"protocol":)"
        R"({"type":"string","enum":["SCTP","TCP","UDP"]}}})");
  CHECK(
      document.at({"definitions", "io.k8s.api.apps.v1.DeploymentSpec", "properties", "strategy"}) ==
      R"({"$ref":"#/definitions/io.k8s.api.apps.v1.DeploymentStrategy",)"
      R"("x-kubernetes-patch-strategy":"retainKeys"})");
  CHECK(document.at({"definitions", "io.k8s.apimachinery.pkg.util.intstr.IntOrString"}) ==
        R"({"type":"string","format":"int-or-string"})");
  CHECK(document.at({"definitions", "io.k8s.apimachinery.pkg.api.resource.Quantity"}) ==
        R"({"type":"string"})");
  const Value* kinds =
      document.root.at({"definitions", "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions",
                        "x-kubernetes-group-version-kind"});
  REQUIRE(kinds != nullptr);
  CHECK(kinds->size() == 60);
  CHECK(tests::to_text(kinds->items()[59]) ==
        R"({"group":"storagemigration.k8s.io","kind":"DeleteOptions","version":"v1beta1"})");
}

// Descriptions for the following tests.
constexpr std::string_view kTexts =
    R"({"format":1,"kubernetes":"1.36","texts":["a <b> & \"c\"\\\n\u0001","of the kind","is \u00e4"],)"
    R"("types":{"io.k8s.api.core.v1.Pod":{"":1,"metadata":0,"kind":2},)"
    R"("io.k8s.apimachinery.pkg.api.resource.Quantity":{"":0},)"
    R"("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON":{"":1}},)"
    R"("parameters":{"dryRun":2,"force-tOGGb0Yi":0,"namespace-vgWSWtn3":1}})";

struct Described {
  Described() {
    auto read = codec::read_openapi_texts(kTexts, "1.36");
    REQUIRE(read);
    const openapi::Descriptions texts = std::move(*read);
    v2 = openapi_v2_document(Catalogue::built_in(), {}, texts);
    v3 = openapi_v3_document(Catalogue::built_in(), "api/v1", {}, texts).value_or("");
  }
  std::string at(const std::string& document, std::initializer_list<std::string_view> path) {
    const Value root = codec::read_json(document, arena).value;
    const Value* value = root.at(path);
    return value != nullptr ? tests::to_text(*value) : "";
  }
  std::string v2, v3;
  json::Arena arena;
};

TEST_CASE("openapi: a description stands first in a schema and escapes what JSON wants",
          "[schema]") {
  Described documents;
  // v3 goes through Go's encoding/json, which escapes markup; v2 does not.
  CHECK(
      documents.v3.find(R"("io.k8s.api.core.v1.Pod":{"description":"of the kind","type":"object",)"
                        R"("properties":{"apiVersion":{"type":"string"},"kind":{"description":"is )"
                        "\u00e4"
                        R"(","type":"string"},"metadata":{"description":)"
                        R"("a \u003cb\u003e \u0026 \"c\"\\\n\u0001","default":{},"allOf":[)") !=
      std::string::npos);
  CHECK(documents.v2.find(R"("metadata":{"description":"a <b> & \"c\"\\\n\u0001","$ref":)"
                          R"("#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"})") !=
        std::string::npos);
  CHECK(documents.v2.find(R"("io.k8s.apimachinery.pkg.api.resource.Quantity":{"description":)"
                          R"("a <b> & \"c\"\\\n\u0001","type":"string"})") != std::string::npos);
  CHECK(documents.v2.find(R"("io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON":)"
                          R"({"description":"of the kind"})") != std::string::npos);
}

TEST_CASE("openapi: operations and parameters are described", "[schema]") {
  Described documents;
  struct Case {
    std::string_view path, method, description;
  };
  static constexpr Case kCases[] = {
      {"/api/v1/", "get", "get available resources"},
      {"/api/v1/pods", "get", "list or watch objects of kind Pod"},
      {"/api/v1/componentstatuses", "get", "list objects of kind ComponentStatus"},
      {"/api/v1/namespaces/{namespace}/events", "post", "create an Event"},
      {"/api/v1/namespaces/{namespace}/endpoints", "post", "create Endpoints"},
      {"/api/v1/namespaces/{namespace}/pods", "delete", "delete collection of Pod"},
      {"/api/v1/namespaces/{namespace}/pods/{name}", "delete", "delete a Pod"},
      {"/api/v1/namespaces/{namespace}/pods/{name}", "put", "replace the specified Pod"},
      {"/api/v1/namespaces/{namespace}/pods/{name}/status", "patch",
       "partially update status of the specified Pod"},
      {"/api/v1/namespaces/{namespace}/pods/{name}/log", "get", "read log of the specified Pod"},
      {"/api/v1/namespaces/{namespace}/pods/{name}/binding", "post", "create binding of a Pod"},
      {"/api/v1/nodes/{name}/proxy/{path}", "head", "connect HEAD requests to proxy of Node"},
      {"/api/v1/watch/pods", "get",
       "watch individual changes to a list of Pod. deprecated: use the 'watch' parameter with a "
       "list operation instead."},
      {"/api/v1/watch/namespaces/{name}", "get",
       "watch changes to an object of kind Namespace. deprecated: use the 'watch' parameter with a "
       "list operation instead, filtered to a single item with the 'fieldSelector' parameter."},
  };
  for (const Case& c : kCases) {
    INFO(c.path << " " << c.method);
    for (const std::string* document : {&documents.v2, &documents.v3}) {
      CHECK(documents.at(*document, {"paths", c.path, c.method, "description"}) ==
            "\"" + std::string(c.description) + "\"");
    }
  }
  CHECK(documents.at(documents.v3, {"paths", "/api/v1/namespaces/{name}", "parameters"}) ==
        R"([{"name":"name","in":"path","description":"name of the Namespace","required":true,)"
        R"("schema":{"type":"string","uniqueItems":true}},{"name":"pretty","in":"query","schema":)"
        R"({"type":"string","uniqueItems":true}}])");
  CHECK(documents.at(documents.v2, {"parameters", "force-tOGGb0Yi", "description"}) ==
        R"("a \u003cb\u003e \u0026 \"c\"\\\n\u0001")");  // as written again
  CHECK(documents.at(documents.v2, {"parameters", "namespace-vgWSWtn3"}) ==
        R"({"uniqueItems":true,"type":"string","description":"of the kind","name":"namespace",)"
        R"("in":"path","required":true})");
  CHECK(documents.v2.find(R"({"uniqueItems":true,"type":"string","description":"is )"
                          "\u00e4"
                          R"(","name":"dryRun","in":"query"})") != std::string::npos);
}

}  // namespace
}  // namespace tabernetes::schema

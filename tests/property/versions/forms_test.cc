// One list in every form: the same objects at the same versions in the same order. Invariant 21.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "codec/protobuf_reader.h"
#include "codec/yaml.h"
#include "object.h"
#include "schema/schema.h"

namespace tabernetes::property {
namespace {

using json::Value;

constexpr std::string_view kMeta = ";g=meta.k8s.io;v=v1";

std::string name_of(const Value& object) {
  const Value* metadata = object.find("metadata");
  REQUIRE(metadata != nullptr);
  return std::string(metadata->string_at("namespace")) + "/" +
         std::string(metadata->string_at("name")) + "@" +
         std::string(metadata->string_at("resourceVersion"));
}

// Prints the version of a list and its objects.
std::string outline(const Value& list, std::string_view items, std::string_view inner) {
  std::string text(list.find("metadata")->string_at("resourceVersion"));
  for (const Value& item : list.find(items)->items()) {
    text += " " + name_of(inner.empty() ? item : *item.find(inner));
  }
  return text;
}

std::string outline_of_protobuf(const std::string& body) {
  const schema::Catalogue& catalogue = schema::Catalogue::built_in();
  const auto envelope = codec::read_protobuf_envelope(body);
  REQUIRE(envelope.error.empty());
  REQUIRE(envelope.kind == "ConfigMapList");
  const schema::Resource* resource = catalogue.find_resource("", "v1", "configmaps");
  REQUIRE(resource != nullptr);
  json::Arena arena;
  const auto read = codec::read_protobuf_message(*resource->list_type, envelope.message, arena);
  REQUIRE(read.error.empty());
  return outline(read.value, "items", "");
}

class Forms {
 public:
  explicit Forms(Client& client, std::string target)
      : client_(client), target_(std::move(target)) {}

  std::string json() { return outline_of(get("application/json"), "items", ""); }
  std::string pretty() {
    return outline_of(client_.call("GET", target_ + "&pretty=1").body, "items", "");
  }
  std::string yaml() {
    const std::string body = get("application/yaml");
    json::Arena arena;
    const codec::YamlRead read = codec::read_yaml(body, arena);
    REQUIRE(read.ok());
    return outline(read.value, "items", "");
  }
  std::string protobuf() { return outline_of_protobuf(get("application/vnd.kubernetes.protobuf")); }
  std::string table() {
    return outline_of(get("application/json;as=Table" + std::string(kMeta)), "rows", "object");
  }
  std::string partial() {
    return outline_of(get("application/json;as=PartialObjectMetadataList" + std::string(kMeta)),
                      "items", "");
  }

 private:
  std::string get(const std::string& accept) {
    const Answer answer = client_.call("GET", target_, {}, {{"accept", accept}});
    REQUIRE(answer.status == 200);
    return answer.body;
  }
  static std::string outline_of(const std::string& body, std::string_view items,
                                std::string_view inner) {
    const Document list(body);
    return outline(list.root, items, inner);
  }

  Client& client_;
  std::string target_;
};

TEST_CASE("versions property: all forms of a list have the same objects", "[property]") {
  ApiServer server;
  Client client(server, nullptr, "main");
  std::string version;  // of an object in the middle
  for (const std::string& ns : namespaces()) {
    client.call("POST", "/api/v1/namespaces",
                R"({"kind":"Namespace","apiVersion":"v1","metadata":{"name":")" + ns + "\"}}");
    for (const std::string& name : names()) {
      const Answer made = client.call(
          "POST", kinds()[0].collection(ns),
          R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name + "\"}}");
      REQUIRE(made.status == 201);
      if (ns != namespaces().front()) continue;
      const Document object(made.body);
      version = object.root.find("metadata")->string_at("resourceVersion");
    }
  }
  const std::string path = kinds()[0].collection("");
  const std::string past = "resourceVersion=" + version + "&resourceVersionMatch=Exact";
  for (const std::string& query :
       {past, std::string("limit=5"), std::string("fieldSelector=metadata.name%3Da.b")}) {
    INFO(query);
    Forms forms(client, path + "?" + query);
    const std::string expected = forms.json();
    REQUIRE(expected.find('@') != std::string::npos);
    CHECK(forms.pretty() == expected);
    CHECK(forms.yaml() == expected);
    CHECK(forms.protobuf() == expected);
    CHECK(forms.table() == expected);
    CHECK(forms.partial() == expected);
  }
}

}  // namespace
}  // namespace tabernetes::property

#include "patch/field_owners.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "schema/schema.h"
#include "vectors.h"

namespace tabernetes::patch {
namespace {

// Returns "path pointer: manager, manager" for each field.
std::vector<std::string> lines_of(std::string_view text, const std::optional<Shape>& shape) {
  json::Arena arena;
  const json::Value object = tree(text, arena);
  const auto entries = read_managed_fields(*object.at({"metadata", "managedFields"}));
  REQUIRE(entries);
  std::vector<std::string> lines;
  for (const OwnedField& field : owned_fields(*entries, object, shape)) {
    std::string line = field.path + " " + field.pointer + ":";
    for (const ManagedFieldsEntry* owner : field.owners) line += " " + owner->manager;
    lines.push_back(line);
  }
  return lines;
}

constexpr std::string_view kPod = R"({"metadata":{"labels":{"a/b~":"x"},"finalizers":["g","f"],
"managedFields":[
 {"manager":"one","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":
  {"f:metadata":{"f:labels":{".":{},"f:a/b~":{}},"f:finalizers":{"v:\"f\"":{}}},
   "f:spec":{"f:containers":{"k:{\"name\":\"b\"}":{".":{},"f:image":{},"f:ports":{"k:{\"containerPort\":80,\"protocol\":\"TCP\"}":{"f:name":{}}}}}}}},
 {"manager":"two","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":
  {"f:metadata":{"f:labels":{"f:a/b~":{},"f:gone":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"b\"}":{"f:image":{}},"k:{\"name\":\"z\"}":{".":{}}},"f:args":{"i:0":{},"i:7":{}}}}}]},
"spec":{"args":["x"],"containers":[{"name":"a"},{"name":"b","image":"i","ports":[{"containerPort":80,"name":"http"}]}]}})";

const std::vector<std::string> kFields = {
    R"(.metadata.finalizers[="f"] /metadata/finalizers/1: one)",
    ".metadata.labels /metadata/labels: one",
    ".metadata.labels.a/b~ /metadata/labels/a~1b~0: one two",
    ".metadata.labels.gone : two",
    ".spec.args[0] /spec/args/0: two",
    ".spec.args[7] : two",
    R"(.spec.containers[name="b"] /spec/containers/1: one)",
    R"(.spec.containers[name="b"].image /spec/containers/1/image: one two)",
    R"(.spec.containers[name="b"].ports[containerPort=80,protocol="TCP"].name /spec/containers/1/ports/0/name: one)",
    R"(.spec.containers[name="z"] : two)",
};

TEST_CASE("field owners: found in the object by its schema", "[patch]") {
  const schema::Type& pod = *schema::Catalogue::built_in().find_kind("", "v1", "Pod");
  CHECK(lines_of(kPod, Shape::of_type(pod)) == kFields);
}

TEST_CASE("field owners: without a schema, items are found by the keys that they have", "[patch]") {
  std::vector<std::string> expected = kFields;
  // Without a schema the default protocol, TCP, is unknown.
  expected[8] = R"(.spec.containers[name="b"].ports[containerPort=80,protocol="TCP"].name : one)";
  CHECK(lines_of(kPod, std::nullopt) == expected);
}

TEST_CASE("field owners: nobody owns what has no entries", "[patch]") {
  CHECK(lines_of(R"({"metadata":{"managedFields":[]}})", std::nullopt).empty());
}

}  // namespace
}  // namespace tabernetes::patch

#include "registry/objects/object_record.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::registry {
namespace {

json::Value parse(std::string_view text, json::Arena& arena) {
  const codec::JsonRead read = codec::read_json(text, arena);
  REQUIRE(read.ok());
  return read.value;
}

ResourceType config_maps() {
  static const schema::Resource resource = [] {
    schema::Resource r;
    r.version = "v1";
    r.kind = "ConfigMap";
    r.plural = "configmaps";
    r.namespaced = true;
    return r;
  }();
  ResourceType type;
  type.resource = &resource;
  type.key_prefix = "core/configmaps/";
  type.head = R"({"kind":"ConfigMap","apiVersion":"v1",)";
  type.api_version = "v1";
  return type;
}

constexpr std::string_view kObject =
    R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"d","uid":"u","creationTimestamp":"t","labels":{"app":"web","tier":""}},"data":{"k":"v"}})";

store::RecordPtr record_at(store::Revision revision, json::Arena& arena) {
  return make_record(encode_object(parse(kObject, arena), VersionMember::kPresent), revision);
}

std::string shown(const ResourceType& type, const store::RecordPtr& record,
                  store::Revision version = 0) {
  Rope rope;
  append_object(rope, type, record, version);
  return rope.flatten();
}

TEST_CASE("object record: the version follows the uid", "[registry]") {
  json::Arena arena;
  const ResourceType type = config_maps();
  const store::RecordPtr record = record_at(1234, arena);
  CHECK(
      shown(type, record) ==
      R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"d","uid":"u","resourceVersion":"1234","creationTimestamp":"t","labels":{"app":"web","tier":""}},"data":{"k":"v"}})");
}

TEST_CASE("object record: a deletion is returned with another version", "[registry]") {
  json::Arena arena;
  const ResourceType type = config_maps();
  const store::RecordPtr record = record_at(9, arena);
  CHECK(shown(type, record, 10).find(R"("resourceVersion":"10","creationTimestamp")") !=
        std::string::npos);
  CHECK(shown(type, record, 9) == shown(type, record));
}

TEST_CASE("object record: items of a list contain their commas", "[registry]") {
  json::Arena arena;
  const ResourceType type = config_maps();
  const store::RecordPtr record = record_at(7, arena);
  Rope rope;
  append_item(rope, type, record, true);
  append_item(rope, type, record, false);
  const std::string one =
      R"({"metadata":{"name":"a","namespace":"d","uid":"u","resourceVersion":"7","creationTimestamp":"t","labels":{"app":"web","tier":""}},"data":{"k":"v"}})";
  CHECK(rope.flatten() == one + "," + one);
}

TEST_CASE("object record: labels are read from the bytes", "[registry]") {
  json::Arena arena;
  for (const store::Revision revision : {store::Revision{3}, store::Revision{123456}}) {
    const store::RecordPtr record = record_at(revision, arena);
    CHECK(label_of(*record, "app") == "web");
    CHECK(label_of(*record, "tier") == "");
    CHECK_FALSE(label_of(*record, "web"));
    CHECK_FALSE(label_of(*record, "tie"));
  }
  const store::RecordPtr bare = make_record(
      encode_object(parse(R"({"metadata":{"name":"a"}})", arena), VersionMember::kPresent), 2);
  CHECK_FALSE(label_of(*bare, "app"));
}

TEST_CASE("object record: equal except for the version", "[registry]") {
  json::Arena arena;
  const store::RecordPtr record = record_at(99, arena);
  CHECK(
      equal_except_version(*record, encode_object(parse(kObject, arena), VersionMember::kPresent)));
  std::string other(kObject);
  other.replace(other.find("\"v\"}}"), 3, "\"w\"");
  CHECK_FALSE(
      equal_except_version(*record, encode_object(parse(other, arena), VersionMember::kPresent)));
}

TEST_CASE("object record: a dry run has no version", "[registry]") {
  json::Arena arena;
  const ResourceType type = config_maps();
  const store::RecordPtr record =
      make_record(encode_object(parse(kObject, arena), VersionMember::kAbsent), 0);
  CHECK(shown(type, record).find("resourceVersion") == std::string::npos);
}

TEST_CASE("object record: reading returns the encoded tree", "[registry]") {
  json::Arena arena;
  const ResourceType type = config_maps();
  const store::RecordPtr record = record_at(42, arena);
  const json::Value object = read_object(type, *record, arena);
  CHECK(object.string_at("kind") == "ConfigMap");
  CHECK(object.at({"metadata"})->string_at("resourceVersion") == "42");
  CHECK(object.at({"data"})->string_at("k") == "v");
}

TEST_CASE("object record: reading the content leaves managedFields out", "[registry]") {
  json::Arena arena;
  const ResourceType type = config_maps();
  const auto content = [&](std::string_view metadata) {
    const std::string text = R"({"metadata":{)" + std::string(metadata) + R"(},"data":{"k":"v"}})";
    const store::RecordPtr record =
        make_record(encode_object(parse(text, arena), VersionMember::kPresent), 42);
    return codec::json_text(read_content(type, *record, arena));
  };
  constexpr std::string_view kHead = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":)";
  const std::string bare =
      std::string(kHead) + R"({"name":"a","resourceVersion":"42"},"data":{"k":"v"}})";
  CHECK(content(R"("name":"a")") == bare);
  CHECK(content(R"("name":"a","managedFields":[{"manager":"m"}])") == bare);
  // The same words within a text.
  const std::string quoted = R"("annotations":{"n":",\"managedFields\":["})";
  CHECK(content(R"("name":"a",)" + quoted + R"(,"managedFields":[])") ==
        std::string(kHead) + R"({"name":"a","resourceVersion":"42",)" + quoted +
            R"(},"data":{"k":"v"}})");
}

}  // namespace
}  // namespace tabernetes::registry

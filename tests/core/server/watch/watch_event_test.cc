#include "server/watch/watch_event.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "base/api/api_status.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "kinds/table/built_in_kind.h"
#include "registry/objects/object_record.h"

namespace tabernetes::server {
namespace {

const schema::Catalogue& event_catalogue() { return schema::Catalogue::built_in(); }

std::shared_ptr<const ServerContext> server() {
  static const auto shared = std::make_shared<const ServerContext>(Options());
  return shared;
}

// Removes the next frame of `stream` and prints it as "TYPE {object}".
std::string next_frame(std::string_view& stream) {
  REQUIRE(stream.size() > 4);
  std::size_t size = 0;
  for (int i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(stream[i]);
  REQUIRE(stream.size() >= 4 + size);
  const schema::Type* type =
      event_catalogue().find_type("io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent");
  REQUIRE(type != nullptr);
  json::Arena arena;
  const codec::ProtobufRead read =
      codec::read_protobuf_message(*type, stream.substr(4, size), arena);
  REQUIRE(read.error == "");
  stream.remove_prefix(4 + size);
  std::string text(read.value.string_at("type"));
  text += ' ';
  codec::write_json(*read.value.find("object"), text);
  return text;
}

// Returns a watch of ConfigMaps in `form`: an object, its deletion at version 8, a bookmark, an
// error.
std::string watch(const Representation& form) {
  const registry::ResourceTable resources(event_catalogue(), registry::built_in_kinds());
  const registry::ResourceType& type = *resources.find("", "v1", "configmaps");
  json::Arena arena;
  const auto object =
      codec::read_json(R"({"metadata":{"name":"a","uid":"u"},"data":{"k":"v"}})", arena);
  const store::RecordPtr record = registry::make_record(
      registry::encode_object(object.value, registry::VersionMember::kPresent), 7);
  const WatchEncoder encoder(*server(), type, form, registry::IncludeObject::kMetadata);
  const WatchFrame frames[] = {
      encoder.event(WatchEventType::kAdded, record, 0, Time()),
      encoder.event(WatchEventType::kDeleted, record, 8, Time()),
      encoder.bookmark(9, WatchEncoder::Bookmark::kInitialEventsEnd, Time()),
      encoder.error(errors::expired("too old")),
  };
  std::string bytes;
  for (const WatchFrame& frame : frames) {
    CHECK(frame.last == (&frame == &frames[3]));
    bytes += frame.bytes.view();
  }
  return bytes;
}

TEST_CASE("watch event: a line of JSON each", "[server]") {
  CHECK(
      watch({}) ==
      R"({"type":"ADDED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u","resourceVersion":"7"},"data":{"k":"v"}}}
{"type":"DELETED","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","uid":"u","resourceVersion":"8"},"data":{"k":"v"}}}
{"type":"BOOKMARK","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"resourceVersion":"9","annotations":{"k8s.io/initial-events-end":"true"}}}}
{"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too old","reason":"Expired","code":410}}
)");
}

// The protobuf reader keeps unset fields that Go writes, so the objects contain them.
TEST_CASE("watch event: a frame of protobuf each", "[server]") {
  const std::string bytes = watch({.encoding = codec::Encoding::kProtobuf});
  std::string_view stream = bytes;
  CHECK(
      next_frame(stream) ==
      R"(ADDED {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","generateName":"","namespace":"","selfLink":"","uid":"u","resourceVersion":"7","generation":0,"creationTimestamp":null},"data":{"k":"v"}})");
  CHECK(
      next_frame(stream) ==
      R"(DELETED {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","generateName":"","namespace":"","selfLink":"","uid":"u","resourceVersion":"8","generation":0,"creationTimestamp":null},"data":{"k":"v"}})");
  CHECK(
      next_frame(stream) ==
      R"(BOOKMARK {"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"","generateName":"","namespace":"","selfLink":"","uid":"","resourceVersion":"9","generation":0,"creationTimestamp":null,"annotations":{"k8s.io/initial-events-end":"true"}}})");
  CHECK(
      next_frame(stream) ==
      R"(ERROR {"kind":"Status","apiVersion":"v1","metadata":{"selfLink":"","resourceVersion":"","continue":""},"status":"Failure","message":"too old","reason":"Expired","code":410})");
  CHECK(stream.empty());
}

TEST_CASE("watch event: PartialObjectMetadata in protobuf", "[server]") {
  const std::string bytes =
      watch({.encoding = codec::Encoding::kProtobuf, .transform = Transform::kPartialMetadata});
  std::string_view stream = bytes;
  CHECK(next_frame(stream).starts_with(
      R"(ADDED {"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a",)"));
}

TEST_CASE("watch event: a table's columns are put in for the first event of a watch", "[server]") {
  const registry::ResourceTable resources(event_catalogue(), registry::built_in_kinds());
  const registry::ResourceType& type = *resources.find("", "v1", "configmaps");
  // Client text that looks like the columns' placeholder is not replaced.
  json::Arena arena;
  const auto object = codec::read_json(
      R"({"metadata":{"name":"a","annotations":{"k":"\"columnDefinitions\":null"}}})", arena);
  const store::RecordPtr record = registry::make_record(
      registry::encode_object(object.value, registry::VersionMember::kPresent), 7);
  const WatchEncoder encoder(*server(), type, {.transform = Transform::kTable},
                             registry::IncludeObject::kMetadata);
  const WatchFrame frame = encoder.event(WatchEventType::kAdded, record, 0, Time());
  const std::string rest =
      R"("rows":[{"cells":["a",0,"\u003cunknown\u003e"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","resourceVersion":"7","annotations":{"k":"\"columnDefinitions\":null"}}}}]}})"
      "\n";
  const std::string head =
      R"({"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"7"},"columnDefinitions":)";
  CHECK(frame.bytes.view() == head + "null," + rest);
  std::string columns;
  codec::write_json(registry::table_columns(registry::BuiltInTable("", "ConfigMap"), arena),
                    columns);
  CHECK(columns.starts_with(R"([{"name":"Name","type":"string","format":"name","description":)"));
  CHECK(encoder.with_columns(frame.bytes).view() == head + columns + "," + rest);
}

TEST_CASE("watch event: an object that protobuf cannot hold ends the watch", "[server]") {
  const registry::ResourceTable resources(event_catalogue(), registry::built_in_kinds());
  const registry::ResourceType& type =
      *resources.find("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  std::string schema = "{}";
  for (int depth = 0; depth < 600; ++depth) schema = R"({"not":)" + schema + "}";
  json::Arena arena;
  const auto object = codec::read_json(
      R"({"metadata":{"name":"a"},"spec":{"versions":[{"schema":{"openAPIV3Schema":)" + schema +
          "}}]}}",
      arena);
  REQUIRE(object.error == "");
  const store::RecordPtr record = registry::make_record(
      registry::encode_object(object.value, registry::VersionMember::kPresent), 7);
  const WatchEncoder encoder(*server(), type, {.encoding = codec::Encoding::kProtobuf},
                             registry::IncludeObject::kMetadata);
  const WatchFrame frame = encoder.event(WatchEventType::kAdded, record, 0, Time());
  CHECK(frame.last);
  std::string_view stream = frame.bytes.view();
  CHECK(
      next_frame(stream) ==
      R"(ERROR {"kind":"Status","apiVersion":"v1","metadata":{"selfLink":"","resourceVersion":"","continue":""},"status":"Failure","message":"Internal error occurred: an object is nested too deep for protobuf","reason":"InternalError","details":{"name":"","group":"","kind":"","causes":[{"reason":"","message":"an object is nested too deep for protobuf","field":""}],"retryAfterSeconds":0,"uid":""},"code":500})");
}

}  // namespace
}  // namespace tabernetes::server

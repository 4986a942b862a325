// The samples come from Go's encoder; the conformance runner reads the recordings in
// golden/content.json.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "../recordings.h"
#include "base/text/base64.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "codec/protobuf_writer.h"
#include "hex.h"
#include "schema/decode.h"

namespace tabernetes::codec {
namespace {

using json::Value;

const schema::Catalogue& catalogue() { return schema::Catalogue::built_in(); }

std::string to_json(const Value& value) {
  std::string text;
  write_json(value, text);
  return text;
}

// Reads the samples of a file of Go's encodings.
Value read_samples(json::Arena& arena) {
  const Value samples =
      *tests::read_data("core/codec/protobuf_samples.json", arena).find("samples");
  REQUIRE(samples.size() == 17);
  return samples;
}

// Returns an enveloped object as the server would decode and print it.
std::string decode(std::string_view bytes, json::Arena& arena) {
  const ProtobufEnvelope envelope = read_protobuf_envelope(bytes);
  if (!envelope.error.empty()) return envelope.error;
  Value object = Value::object(arena);
  object.append(arena, "kind", Value::string(envelope.kind));
  object.append(arena, "apiVersion", Value::string(envelope.api_version));
  const schema::Type* type = protobuf_type(catalogue(), object);
  REQUIRE(type != nullptr);
  const ProtobufRead read = read_protobuf_message(*type, envelope.message, arena);
  if (!read.ok()) return read.error;
  for (const json::Member& member : read.value.members()) {
    object.append(arena, member.key, member.value);
  }
  const schema::DecodeResult decoded = schema::decode_typed(*type, object, arena);
  return decoded.error.empty() ? to_json(decoded.value) : decoded.error;
}

TEST_CASE("protobuf: writes every sample byte for byte", "[codec]") {
  json::Arena arena;
  for (const Value& sample : read_samples(arena).items()) {
    if (sample.string_at("name") == "WatchEvent") continue;
    INFO(sample.string_at("name"));
    std::string bytes;
    REQUIRE(write_protobuf(catalogue(), *sample.find("json"), bytes));
    CHECK(to_hex(bytes) == sample.string_at("protobufHex"));
  }
}

TEST_CASE("protobuf: reads every sample as the JSON that the server prints", "[codec]") {
  json::Arena arena;
  for (const Value& sample : read_samples(arena).items()) {
    if (sample.string_at("name") == "WatchEvent") continue;
    INFO(sample.string_at("name"));
    const Value* expected = sample.find("decodedJson");
    if (expected == nullptr) expected = sample.find("json");
    // Maps are sorted when printed.
    const schema::Type* type = protobuf_type(catalogue(), *expected);
    REQUIRE(type != nullptr);
    const schema::DecodeResult printed = schema::decode_typed(*type, *expected, arena);
    CHECK(decode(from_hex(sample.string_at("protobufHex")), arena) == to_json(printed.value));
  }
}

TEST_CASE("protobuf: a watch event is framed by its length", "[codec]") {
  json::Arena arena;
  for (const Value& sample : read_samples(arena).items()) {
    if (sample.string_at("name") != "WatchEvent") continue;
    std::string object, frame;
    REQUIRE(write_protobuf(catalogue(), *sample.at({"json", "object"}), object));
    write_protobuf_watch_frame("ADDED", object, frame);
    CHECK(to_hex(frame) == sample.string_at("frameHex"));
    CHECK(decode(object, arena) == to_json(*sample.at({"json", "object"})));
  }
}

// Recorded from a real server: objects, lists, a Pod with all its defaults.
TEST_CASE("protobuf: recorded answers are read and written byte for byte", "[codec]") {
  tests::Recordings recordings("content");
  int answers = 0;
  for (const std::string_view scenario :
       {"json-yaml-cbor-protobuf-read", "protobuf-write", "protobuf-pod-deployment"}) {
    for (const Value& step : recordings.steps(scenario)) {
      const Value* type = step.at({"response", "headers", "content-type"});
      if (type == nullptr || type->as_string() != "application/vnd.kubernetes.protobuf") continue;
      INFO(scenario << " " << tests::path_of(step));
      const auto bytes = base64_decode(tests::body_of(step)->string_at("base64"));
      REQUIRE(bytes);
      json::Arena arena;
      const std::string text = decode(*bytes, arena);
      Value object = read_json(text, arena).value;
      // The document of /api/v1 has no version.
      object.set(arena, "apiVersion", Value::string(read_protobuf_envelope(*bytes).api_version));
      std::string written;
      REQUIRE(write_protobuf(catalogue(), object, written));
      CHECK(to_hex(written) == to_hex(*bytes));
      ++answers;
    }
  }
  CHECK(answers == 12);
}

TEST_CASE("protobuf: kinds without a protobuf form are not written", "[codec]") {
  json::Arena arena;
  for (const std::string_view text : {R"({"kind":"Table","apiVersion":"meta.k8s.io/v1"})",
                                      R"({"kind":"Foo","apiVersion":"example.com/v1"})", "{}"}) {
    std::string out = "before";
    CHECK_FALSE(write_protobuf(catalogue(), read_json(text, arena).value, out));
    CHECK(out == "before");
  }
  std::string out;
  const char* partial = R"({"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1"})";
  CHECK(write_protobuf(catalogue(), read_json(partial, arena).value, out));
}

// Message bytes of a ConfigMap: metadata=1 {name=1, ...}, data=2 {key=1, value=2}, binaryData=3.
TEST_CASE("protobuf: reads what other encoders write", "[codec]") {
  struct Case {
    std::string_view name, kind, hex, json;
  };
  static constexpr Case kCases[] = {
      {"no bytes at all", "ConfigMap", "",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{}})"},
      {"fields in any order", "ConfigMap",
       "12060a0161120131"
       "0a030a0161",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"},"data":{"a":"1"}})"},
      {"unknown fields of every wire type", "ConfigMap",
       "980601"
       "99060102030405060708"
       "9a060161"
       "9b0608019c06"
       "9d0601020304"
       "0a030a0161",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a"}})"},
      {"a message that comes twice is merged", "ConfigMap",
       "0a030a0161"
       "0a031a0162",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"a","namespace":"b"}})"},
      {"an entry without value, an entry without key", "ConfigMap",
       "12030a0162"
       "1203120131",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"":"1","b":""}})"},
      {"of an entry that comes twice the last", "ConfigMap",
       "12060a0161120131"
       "12060a0161120132",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"data":{"a":"2"}})"},
      {"bytes that are no UTF-8", "ConfigMap", "12060a01611201ff",
       "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{},\"data\":{\"a\":"
       "\"\xef\xbf\xbd\"}}"},
      {"empty bytes are kept in a map", "ConfigMap", "1a030a0161",
       R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{},"binaryData":{"a":""}})"},
      {"a negative number takes ten bytes", "Pod",
       "12"
       "0b"
       "20"
       "ffffffffffffffffff01",
       R"({"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":null,"terminationGracePeriodSeconds":-1},"status":{}})"},
  };
  for (const Case& c : kCases) {
    INFO(c.name);
    json::Arena arena;
    const std::string message = from_hex(c.hex);
    std::string bytes;
    write_protobuf_envelope_head("v1", c.kind, message.size(), bytes);
    bytes += message;
    CHECK(decode(bytes, arena) == c.json);
  }
}

TEST_CASE("protobuf: lists of numbers may be packed", "[codec]") {
  json::Arena arena;
  const schema::Type* type = catalogue().find_type("io.k8s.api.core.v1.PodSecurityContext");
  REQUIRE(type != nullptr);
  CHECK(to_json(read_protobuf_message(*type,
                                      from_hex("2001"
                                               "2203"
                                               "02ac02"),
                                      arena)
                    .value) == R"({"supplementalGroups":[1,2,300]})");
}

TEST_CASE("protobuf: errors of gogo's decoders", "[codec]") {
  struct Case {
    std::string_view hex, error;
  };
  static constexpr Case kEnvelopes[] = {
      {"", "empty data"},
      {"7b7d",
       "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]"},
      {"6b387300", "empty body"},
      {"6b387300ffff", "unexpected EOF"},
      {"6b387300120561", "unexpected EOF"},
      {"6b3873001001", "proto: wrong wireType = 0 for field Raw"},
      {"6b3873000c", "proto: Unknown: wiretype end group for non-group"},
      {"6b38730002", "proto: Unknown: illegal tag 0 (wire type 2)"},
      {"6b3873000f", "proto: wrong wireType = 7 for field TypeMeta"},
      {"6b3873002f", "proto: illegal wireType 7"},
      {"6b387300ffffffffffffffffffff01", "proto: integer overflow"},
      {"6b38730012ffffffffffffffffff01", "proto: negative length found during unmarshaling"},
      {"6b3873000a00", ""},
  };
  for (const Case& c : kEnvelopes) {
    INFO(c.hex);
    CHECK(read_protobuf_envelope(from_hex(c.hex)).error == c.error);
  }
  static constexpr Case kConfigMaps[] = {
      {"0aff", "unexpected EOF"},
      {"0801", "proto: wrong wireType = 0 for field ObjectMeta"},
      {"0a020801", "proto: wrong wireType = 0 for field Name"},
      {"0a0102", "proto: ObjectMeta: illegal tag 0 (wire type 2)"},
  };
  const schema::Type& config_map = *catalogue().find_kind("", "v1", "ConfigMap");
  for (const Case& c : kConfigMaps) {
    INFO(c.hex);
    json::Arena arena;
    CHECK(read_protobuf_message(config_map, from_hex(c.hex), arena).error == c.error);
  }
}

// Nests `not` (a schema within a schema) to the limit, and one level deeper.
TEST_CASE("protobuf: messages nest to a limit in both directions", "[codec]") {
  const schema::Type* type = catalogue().find_type(
      "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps");
  REQUIRE(type != nullptr);
  for (const int depth : {kDeepestMessage, kDeepestMessage + 1}) {
    json::Arena arena;
    Value schema = Value::object(arena);
    std::string bytes;
    for (int i = 1; i < depth; ++i) {
      Value outer = Value::object(arena);
      outer.append(arena, "not", schema);
      schema = outer;
      std::string outer_bytes;
      write_protobuf_field_head(28, bytes.size(), outer_bytes);
      bytes = outer_bytes + bytes;
    }
    const bool fits = depth == kDeepestMessage;
    std::string out;
    CHECK(write_protobuf_message(*type, schema, out) == fits);
    const ProtobufRead read = read_protobuf_message(*type, bytes, arena);
    CHECK(read.error == (fits ? "" : "proto: JSONSchemaProps: nested too deep"));
    if (fits) CHECK((to_json(read.value) == to_json(schema)));
  }
}

}  // namespace
}  // namespace tabernetes::codec

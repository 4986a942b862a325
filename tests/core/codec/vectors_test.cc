// Compares our encodings with Go's serializers, byte for byte and with the texts of their errors:
// an object of every kind in each encoding, damaged protobuf messages, YAML in every style.
// vectors/ was made by running k8s.io/api, k8s.io/apimachinery 0.36.3 and sigs.k8s.io/yaml 1.6.0.
#include "../vectors.h"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "codec/protobuf_writer.h"
#include "codec/yaml.h"
#include "hex.h"
#include "schema/decode.h"

namespace tabernetes::codec {
namespace {

using json::Arena;
using json::Value;

const schema::Catalogue& vector_catalogue() { return schema::Catalogue::built_in(); }

std::string vector_json(const Value& value) {
  std::string text;
  write_json(value, text);
  return text;
}

std::string to_protobuf_hex(const Value& value) {
  std::string bytes;
  CHECK(write_protobuf(vector_catalogue(), value, bytes));
  return to_hex(bytes);
}

// Decodes a tree into its typed form; returns it as JSON, or the error.
std::string typed(const schema::Type& type, const Value& tree, Arena& arena, Value& out) {
  schema::DecodeResult decoded = schema::decode_typed(type, tree, arena);
  out = decoded.value;
  CHECK(decoded.strict_errors.empty());
  return decoded.error.empty() ? vector_json(out) : decoded.error;
}

// Decodes an enveloped message; returns the object, or the error.
std::string read_protobuf(std::string_view bytes, Arena& arena, Value& out) {
  const ProtobufEnvelope envelope = read_protobuf_envelope(bytes);
  if (!envelope.error.empty()) return envelope.error;
  Value object = Value::object(arena);
  object.append(arena, "kind", Value::string(envelope.kind));
  object.append(arena, "apiVersion", Value::string(envelope.api_version));
  const schema::Type* type = protobuf_type(vector_catalogue(), object);
  REQUIRE(type != nullptr);
  const ProtobufRead read = read_protobuf_message(*type, envelope.message, arena);
  if (!read.ok()) return read.error;
  for (const json::Member& member : read.value.members()) {
    object.append(arena, member.key, member.value);
  }
  return typed(*type, object, arena, out);
}

TEST_CASE("vectors: an object of every kind is the same in each encoding", "[codec]") {
  const tests::Vectors vectors("codec/vectors/objects.json");
  CHECK(vectors.cases().size() == 146);
  for (const Value& c : vectors.cases()) {
    Arena arena;
    const Value& object = *c.find("json");
    const std::string json = vector_json(object);
    INFO(object.string_at("apiVersion") << " " << object.string_at("kind"));
    const std::string hex(c.string_at("protobufHex"));
    const schema::Type* type = protobuf_type(vector_catalogue(), object);
    REQUIRE(type != nullptr);

    Value tree;
    CHECK(typed(*type, object, arena, tree) == json);
    CHECK(to_protobuf_hex(tree) == hex);
    std::string yaml;
    CHECK(write_yaml(tree, yaml));
    CHECK(yaml == c.string_at("yaml"));

    const std::string bytes = from_hex(hex);
    CHECK(read_protobuf(bytes, arena, tree) == json);
    CHECK(to_protobuf_hex(tree) == hex);

    const YamlRead read = read_yaml(yaml, arena);
    CHECK(read.error.empty());
    CHECK(typed(*type, read.value, arena, tree) == json);
  }
}

TEST_CASE("vectors: damaged protobuf is taken and refused as by gogo", "[codec]") {
  const tests::Vectors vectors("codec/vectors/protobuf_messages.json");
  int refused = 0;
  for (const Value& c : vectors.cases()) {
    Arena arena;
    INFO(c.string_at("kind") << " " << c.string_at("hex"));
    const std::string message = from_hex(c.string_at("hex"));
    std::string bytes;
    write_protobuf_envelope_head(c.string_at("apiVersion"), c.string_at("kind"), message.size(),
                                 bytes);
    bytes += message;
    Value object;
    const std::string result = read_protobuf(bytes, arena, object);
    if (const Value* expected = c.find("json")) {
      CHECK(result == vector_json(*expected));
      CHECK(to_protobuf_hex(object) == c.string_at("protobufHex"));
    } else {
      CHECK(result == c.string_at("error"));
      ++refused;
    }
  }
  CHECK(refused > 200);
}

TEST_CASE("vectors: YAML is written as sigs.k8s.io/yaml does", "[codec]") {
  const tests::Vectors vectors("codec/vectors/yaml_writes.json");
  for (const Value& c : vectors.cases()) {
    INFO(vector_json(*c.find("json")));
    std::string yaml, error;
    if (write_yaml(*c.find("json"), yaml, &error)) {
      CHECK(yaml == c.string_at("yaml"));
    }
    CHECK(error == c.string_at("error"));
  }
}

TEST_CASE("vectors: YAML is read as sigs.k8s.io/yaml does", "[codec]") {
  const tests::Vectors vectors("codec/vectors/yaml_reads.json");
  for (const Value& c : vectors.cases()) {
    Arena arena;
    INFO(tests::name_of(c.string_at("yaml")));
    const YamlRead read = read_yaml(c.string_at("yaml"), arena);
    CHECK(read.error == c.string_at("error"));
    if (read.ok()) {
      // Numbers beyond int64 are compared as the server reads them from that JSON.
      CHECK(vector_json(read.value) == vector_json(read_json(c.string_at("json"), arena).value));
    }
    std::string strict;
    for (const std::string& duplicate : read.duplicates) {
      strict += (strict.empty() ? "yaml: unmarshal errors:\n  " : "\n  ") + duplicate;
    }
    if (read.ok()) CHECK(strict == c.string_at("strict"));
  }
}

}  // namespace
}  // namespace tabernetes::codec

// Vectors of our own bytes and Go's results for them: apimachinery 1.36's serializer/cbor, in its
// deterministic mode for writing.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <string_view>

#include "../data.h"
#include "codec/cbor_reader.h"
#include "codec/cbor_writer.h"
#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "hex.h"
#include "schema/decode.h"

namespace tabernetes::codec {
namespace {

using json::Value;

const schema::Catalogue& cbor_catalogue() { return schema::Catalogue::built_in(); }

Value read_vectors(std::string_view name, json::Arena& arena) {
  return *tests::read_data("core/codec/cbor_vectors.json", arena).find(name);
}

TEST_CASE("cbor: a value without a schema is read, written and refused as by Go", "[codec]") {
  json::Arena arena;
  for (const Value& vector : read_vectors("values", arena).items()) {
    INFO(vector.string_at("bytes"));
    const std::string bytes = from_hex(vector.string_at("bytes"));
    const CborRead read = read_cbor(bytes, arena);
    CHECK(read.error == vector.string_at("error"));
    if (!read.ok() || vector.find("written") == nullptr) continue;
    std::string json, written;
    write_json(read.value, json);
    CHECK(json == vector.string_at("json"));
    write_cbor_value(nullptr, read.value, written);
    CHECK(to_hex(written) == vector.string_at("written"));
  }
}

// Returns the server's result for the bytes as an object of the kind that they name.
std::string decode(std::string_view bytes, bool strict, json::Arena& arena, Value& object) {
  const CborTypeMeta meta = read_cbor_type_meta(cbor_catalogue(), bytes, arena);
  if (!meta.error.empty()) return "unable to determine group/version/kind: " + meta.error;
  const schema::Type* type = cbor_catalogue().find_kind("", "v1", meta.kind);
  if (type == nullptr) return "no kind";
  CborObjectRead read = read_cbor_object(*type, bytes, strict, arena);
  if (!read.ok()) return read.error;
  object = schema::decode_typed(*type, read.value, arena).value;
  return read.unknown_field.empty() ? "" : "strict decoding error: " + read.unknown_field;
}

TEST_CASE("cbor: objects are read, written and refused as by Go", "[codec]") {
  json::Arena arena;
  for (const Value& vector : read_vectors("objects", arena).items()) {
    INFO(vector.string_at("bytes"));
    Value object;
    const std::string bytes = from_hex(vector.string_at("bytes"));
    const std::string error = decode(bytes, vector.find("strict")->as_bool(), arena, object);
    if (error == "no kind") {
      CHECK(vector.string_at("error").starts_with("Object 'Kind' is missing"));
      continue;
    }
    CHECK(error == vector.string_at("error"));
    if (!object.is_object()) continue;
    std::string written;
    write_cbor(cbor_catalogue(), object, written);
    CHECK(to_hex(written) == vector.string_at("written"));
  }
}

}  // namespace
}  // namespace tabernetes::codec

#include "server/decode/raw_body.h"

#include <algorithm>
#include <utility>

#include "base/api/api_version.h"
#include "codec/cbor_reader.h"
#include "codec/json_reader.h"
#include "codec/protobuf_reader.h"
#include "codec/yaml.h"

namespace tabernetes::server {
namespace {

using codec::Encoding;
using json::Value;

// Except in JSON, a malformed apiVersion counts as missing.
bool names_version(std::string_view text) {
  return !text.empty() && !text.ends_with('/') && std::count(text.begin(), text.end(), '/') < 2;
}

Value type_meta(std::string_view kind, std::string_view api_version, json::Arena& arena) {
  Value head = Value::object(arena);
  if (!kind.empty()) head.append(arena, "kind", Value::string(kind));
  if (!api_version.empty()) head.append(arena, "apiVersion", Value::string(api_version));
  return head;
}

RawBody read_protobuf(std::string_view bytes, json::Arena& arena) {
  codec::ProtobufEnvelope read = codec::read_protobuf_envelope(bytes);
  return {
      .encoding = Encoding::kProtobuf,
      .value = type_meta(read.kind, names_version(read.api_version) ? read.api_version : "", arena),
      .message = read.message,
      .duplicates = {},
      .error = std::move(read.error)};
}

RawBody read_cbor(std::string_view bytes, json::Arena& arena) {
  const auto& catalogue = schema::Catalogue::built_in();
  codec::CborTypeMeta read = codec::read_cbor_type_meta(catalogue, bytes, arena);
  if (!read.error.empty()) read.error.insert(0, "unable to determine group/version/kind: ");
  // A malformed version counts as missing.
  const std::string_view version = split_api_version(read.api_version).version;
  if (version.find('/') != std::string_view::npos) read.api_version = {};
  return {.encoding = Encoding::kCbor,
          .value = type_meta(read.kind, read.api_version, arena),
          .message = bytes,
          .duplicates = {},
          .error = std::move(read.error)};
}

// Adds the members read to kind and apiVersion, and decodes the typed form.
schema::DecodeResult complete(const schema::Type& type, RawBody& raw, const Value& read,
                              json::Arena& arena) {
  for (const json::Member& member : read.members()) {
    if (member.key == "kind" || member.key == "apiVersion") continue;
    raw.value.append(arena, member.key, member.value);
  }
  schema::DecodeResult decoded = schema::decode_typed(type, raw.value, arena);
  decoded.strict_errors.clear();
  return decoded;
}

schema::DecodeResult failed(std::string error) {
  return {.value = {}, .error = std::move(error), .strict_errors = {}};
}

schema::DecodeResult decode_cbor(const schema::Type& type, RawBody& raw, Strictness strictness,
                                 json::Arena& arena) {
  const bool strict = strictness == Strictness::kStrict;
  codec::CborObjectRead read = codec::read_cbor_object(type, *raw.message, strict, arena);
  if (!read.ok()) return failed(std::move(read.error));
  schema::DecodeResult decoded = complete(type, raw, read.value, arena);
  if (!read.unknown_field.empty()) decoded.strict_errors = {std::move(read.unknown_field)};
  return decoded;
}

}  // namespace

RawBody read_raw_body(std::string_view bytes, Encoding encoding, json::Arena& arena) {
  if (encoding == Encoding::kProtobuf) return read_protobuf(bytes, arena);
  if (encoding == Encoding::kCbor) return read_cbor(bytes, arena);
  if (encoding == Encoding::kYaml) {
    codec::YamlRead read = codec::read_yaml(bytes, arena);
    return {encoding, read.value, {}, std::move(read.duplicates), std::move(read.error)};
  }
  codec::JsonRead read = codec::read_json(bytes, arena);
  if (!read.ok()) read.error = "couldn't get version/kind; json parse error: " + read.error;
  return {encoding, read.value, {}, {}, std::move(read.error)};
}

schema::DecodeResult decode_raw(const schema::Type& type, RawBody& raw, Strictness strictness,
                                json::Arena& arena, schema::EmptyLists empty) {
  if (!raw.message) return schema::decode_typed(type, raw.value, arena, empty);
  if (raw.encoding == Encoding::kCbor) return decode_cbor(type, raw, strictness, arena);
  codec::ProtobufRead read = codec::read_protobuf_message(type, *raw.message, arena);
  if (!read.ok()) return failed(std::move(read.error));
  return complete(type, raw, read.value, arena);
}

}  // namespace tabernetes::server

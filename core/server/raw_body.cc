#include "server/raw_body.h"

#include <utility>

#include "codec/json_reader.h"
#include "codec/protobuf_reader.h"
#include "codec/yaml.h"

namespace tabernetes::server {

using json::Value;

RawBody read_raw_body(std::string_view bytes, codec::Encoding encoding, json::Arena& arena) {
  if (encoding == codec::Encoding::kYaml) {
    codec::YamlRead read = codec::read_yaml(bytes, arena);
    return {read.value, {}, std::move(read.duplicates), std::move(read.error)};
  }
  if (encoding == codec::Encoding::kProtobuf) {
    codec::ProtobufEnvelope read = codec::read_protobuf_envelope(bytes);
    Value head = Value::object(arena);
    if (!read.kind.empty()) head.append(arena, "kind", Value::string(read.kind));
    if (!read.api_version.empty())
      head.append(arena, "apiVersion", Value::string(read.api_version));
    return {head, read.message, {}, std::move(read.error)};
  }
  codec::JsonRead read = codec::read_json(bytes, arena);
  if (!read.ok()) read.error = "couldn't get version/kind; json parse error: " + read.error;
  return {read.value, {}, {}, std::move(read.error)};
}

schema::DecodeResult decode_raw(const schema::Type& type, RawBody& raw, json::Arena& arena) {
  if (!raw.message) return schema::decode_typed(type, raw.value, arena);
  codec::ProtobufRead read = codec::read_protobuf_message(type, *raw.message, arena);
  if (!read.ok()) return {.value = {}, .error = std::move(read.error), .strict_errors = {}};
  for (const json::Member& member : read.value.members()) {
    raw.value.append(arena, member.key, member.value);
  }
  schema::DecodeResult decoded = schema::decode_typed(type, raw.value, arena);
  decoded.strict_errors.clear();
  return decoded;
}

}  // namespace tabernetes::server

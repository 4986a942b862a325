// Any bytes as an object in protobuf: a decoded object can be encoded in every encoding, decodes to
// the same, and encodes to the same bytes. Input that begins with the magic is an object in its
// envelope; otherwise the first byte selects a kind and the rest is a message.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json_reader.h"
#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "codec/protobuf_wire.h"
#include "codec/protobuf_writer.h"
#include "codec/yaml.h"
#include "schema/decode.h"

namespace {

using namespace tabernetes;

const schema::Catalogue& catalogue() { return schema::Catalogue::built_in(); }

// Aborts, so that libFuzzer keeps the input.
void require(bool holds) {
  if (!holds) std::abort();
}

std::string enveloped(std::uint8_t choice, std::string_view message) {
  static const auto* kinds = [] {
    auto* found = new std::vector<const schema::Type*>();
    for (const schema::Type& type : catalogue().types()) {
      if (!type.kind.empty() && type.has_type_meta() && type.has_proto) found->push_back(&type);
    }
    return found;
  }();
  const schema::Type& type = *(*kinds)[choice % kinds->size()];
  const std::string version(type.version);
  const std::string group_version =
      type.group.empty() ? version : std::string(type.group) + "/" + version;
  std::string bytes;
  codec::write_protobuf_envelope_head(group_version, type.kind, message.size(), bytes);
  return bytes += message;
}

// Returns false unless it is an object of a known kind. `out` is the object in its final form.
bool decode(std::string_view bytes, json::Arena& arena, json::Value& out) {
  const codec::ProtobufEnvelope envelope = codec::read_protobuf_envelope(bytes);
  if (!envelope.error.empty()) return false;
  json::Value head = json::Value::object(arena);
  head.append(arena, "kind", json::Value::string(envelope.kind));
  head.append(arena, "apiVersion", json::Value::string(envelope.api_version));
  const schema::Type* type = codec::protobuf_type(catalogue(), head);
  if (type == nullptr || !type->has_type_meta()) return false;
  const codec::ProtobufRead read = codec::read_protobuf_message(*type, envelope.message, arena);
  if (!read.ok()) return false;
  for (const json::Member& member : read.value.members()) {
    head.append(arena, member.key, member.value);
  }
  schema::DecodeResult decoded = schema::decode_typed(*type, head, arena);
  if (!decoded.error.empty()) return false;
  out = decoded.value;
  return true;
}

std::string to_json(const json::Value& value) {
  std::string text;
  codec::write_json(value, text);
  return text;
}

// Checks that the object read from its JSON is the same.
void check_json(const json::Value& object, json::Arena& arena) {
  const std::string json = to_json(object);
  const codec::JsonRead read = codec::read_json(json, arena);
  require(read.ok());
  const schema::Type* type = codec::protobuf_type(catalogue(), object);
  const schema::DecodeResult decoded = schema::decode_typed(*type, read.value, arena);
  require(decoded.error.empty() && decoded.strict_errors.empty());
  require(to_json(decoded.value) == json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::string bytes = input.starts_with(codec::kProtobufMagic)
                                ? std::string(input)
                                : enveloped(data[0], input.substr(1));
  json::Arena arena;
  json::Value once, twice;
  if (!decode(bytes, arena, once)) return 0;
  std::string written, again, yaml;
  if (!codec::write_protobuf(catalogue(), once, written)) return 0;
  require(decode(written, arena, twice));
  require(codec::write_protobuf(catalogue(), twice, again));
  require(written == again);
  require(to_json(once) == to_json(twice));
  check_json(once, arena);
  if (codec::write_yaml(once, yaml)) codec::read_yaml(yaml, arena);
  return 0;
}

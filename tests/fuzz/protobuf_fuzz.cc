// Any bytes as an object in protobuf: whatever is read can be decoded and written, and what was
// written reads back as the same.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codec/json_writer.h"
#include "codec/protobuf_reader.h"
#include "codec/protobuf_writer.h"
#include "schema/decode.h"

namespace {

using namespace tabernetes;

const schema::Catalogue& catalogue() { return schema::Catalogue::built_in(); }

// False: not an object that we know. `out` is the object in its final form.
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  json::Arena arena;
  json::Value once, twice;
  if (!decode({reinterpret_cast<const char*>(data), size}, arena, once)) return 0;
  std::string written, again;
  if (!codec::write_protobuf(catalogue(), once, written)) return 0;
  if (!decode(written, arena, twice)) std::abort();
  if (!codec::write_protobuf(catalogue(), twice, again)) std::abort();
  if (written != again) std::abort();
  return 0;
}

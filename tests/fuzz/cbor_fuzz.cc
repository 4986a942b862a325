// Any bytes as CBOR: a decoded value can be encoded and decodes to the same, as a plain value and
// as an object of its kind.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "codec/cbor_reader.h"
#include "codec/cbor_writer.h"
#include "schema/decode.h"

namespace {

using namespace tabernetes;

const schema::Catalogue& catalogue() { return schema::Catalogue::built_in(); }

void try_value(std::string_view bytes) {
  json::Arena arena;
  const codec::CborRead once = codec::read_cbor(bytes, arena);
  if (!once.ok()) return;
  std::string written, again;
  codec::write_cbor_value(nullptr, once.value, written);
  const codec::CborRead twice = codec::read_cbor(written, arena);
  if (!twice.ok()) std::abort();
  codec::write_cbor_value(nullptr, twice.value, again);
  if (written != again) std::abort();
}

// Returns false unless it is an object of a known kind. `out` is the object in its final form.
bool decode(std::string_view bytes, json::Arena& arena, json::Value& out) {
  const codec::CborTypeMeta meta = codec::read_cbor_type_meta(catalogue(), bytes, arena);
  if (!meta.error.empty()) return false;
  json::Value head = json::Value::object(arena);
  head.append(arena, "kind", json::Value::string(meta.kind));
  head.append(arena, "apiVersion", json::Value::string(meta.api_version));
  const schema::Type* type = schema::type_of_object(catalogue(), head);
  if (type == nullptr) return false;
  const codec::CborObjectRead read = codec::read_cbor_object(*type, bytes, true, arena);
  if (!read.ok()) return false;
  schema::DecodeResult decoded = schema::decode_typed(*type, read.value, arena);
  if (!decoded.error.empty()) return false;
  out = decoded.value;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_value(bytes);
  json::Arena arena;
  json::Value once, twice;
  if (!decode(bytes, arena, once)) return 0;
  std::string written, again;
  codec::write_cbor(catalogue(), once, written);
  if (!decode(written, arena, twice)) std::abort();
  codec::write_cbor(catalogue(), twice, again);
  if (written != again) std::abort();
  return 0;
}

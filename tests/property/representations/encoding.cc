#include "encoding.h"

#include <catch2/catch_test_macros.hpp>

#include "codec/cbor_writer.h"
#include "codec/json_writer.h"
#include "codec/protobuf_writer.h"
#include "codec/yaml.h"
#include "server/decode/raw_body.h"

namespace tabernetes::property {

using codec::Encoding;

std::vector<Encoding> encodings_of(const schema::Type& type) {
  std::vector<Encoding> all = {Encoding::kJson, Encoding::kYaml, Encoding::kCbor};
  if (type.has_proto) all.push_back(Encoding::kProtobuf);
  return all;
}

std::string encode(Encoding encoding, const json::Value& object) {
  std::string out;
  switch (encoding) {
    case Encoding::kYaml:
      REQUIRE(codec::write_yaml(object, out));
      break;
    case Encoding::kProtobuf:
      REQUIRE(codec::write_protobuf(schema::Catalogue::built_in(), object, out));
      break;
    case Encoding::kCbor:
      codec::write_cbor(schema::Catalogue::built_in(), object, out);
      break;
    case Encoding::kJson:
      codec::write_json(object, out);
      break;
  }
  return out;
}

json::Value decode(Encoding encoding, const schema::Type& type, std::string_view bytes,
                   json::Arena& arena) {
  server::RawBody raw = server::read_raw_body(bytes, encoding, arena);
  REQUIRE(raw.error.empty());
  REQUIRE(raw.duplicates.empty());
  schema::DecodeResult decoded = server::decode_raw(type, raw, server::Strictness::kStrict, arena);
  REQUIRE(decoded.error.empty());
  REQUIRE(decoded.strict_errors.empty());
  return decoded.value;
}

}  // namespace tabernetes::property

// Bytes as a tree in any encoding, before their kind is known, and then as that kind.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codec/media_type.h"
#include "json/value.h"
#include "schema/decode.h"

namespace tabernetes::server {

struct RawBody {
  json::Value value;                        // of protobuf only kind and apiVersion
  std::optional<std::string_view> message;  // of protobuf: the rest
  std::vector<std::string> duplicates;      // of YAML keys
  std::string error;
};

// Views of `bytes` or of the arena.
RawBody read_raw_body(std::string_view bytes, codec::Encoding encoding, json::Arena& arena);

// The body as `type`. Protobuf is not decoded strictly. REQUIRES: no error.
schema::DecodeResult decode_raw(const schema::Type& type, RawBody& raw, json::Arena& arena);

}  // namespace tabernetes::server

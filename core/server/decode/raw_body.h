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
  codec::Encoding encoding = codec::Encoding::kJson;
  json::Value value;                        // of protobuf and CBOR only kind and apiVersion
  std::optional<std::string_view> message;  // what is read once the kind is known
  std::vector<std::string> duplicates;      // of YAML keys
  std::string error;
};

// Views of `bytes` or of the arena.
RawBody read_raw_body(std::string_view bytes, codec::Encoding encoding, json::Arena& arena);

// Whether somebody asks for strict errors.
enum class Strictness { kLax, kStrict };

// The body as `type`. Protobuf is not decoded strictly; of CBOR the first unknown field is the only
// strict error. REQUIRES: no error.
schema::DecodeResult decode_raw(const schema::Type& type, RawBody& raw, Strictness strictness,
                                json::Arena& arena,
                                schema::EmptyLists empty = schema::EmptyLists::kAsStored);

}  // namespace tabernetes::server

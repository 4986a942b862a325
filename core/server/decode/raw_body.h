// Reads a body in any encoding: first as a tree, before its kind is known, then as that kind.
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
  json::Value value;                        // for protobuf and CBOR only kind and apiVersion
  std::optional<std::string_view> message;  // to be decoded once the kind is known
  std::vector<std::string> duplicates;      // duplicate YAML keys
  std::string error;
};

// Views of `bytes` or of the arena.
RawBody read_raw_body(std::string_view bytes, codec::Encoding encoding, json::Arena& arena);

// Whether strict errors are wanted.
enum class Strictness { kLenient, kStrict };

// Decodes the body as `type`. Protobuf has no strict errors; CBOR reports only the first unknown
// field. REQUIRES: raw.error is empty.
schema::DecodeResult decode_raw(const schema::Type& type, RawBody& raw, Strictness strictness,
                                json::Arena& arena,
                                schema::EmptyLists empty = schema::EmptyLists::kAsStored);

}  // namespace tabernetes::server

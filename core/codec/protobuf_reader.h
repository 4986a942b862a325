// Reads the protobuf encoding of Kubernetes into a working tree by the schema, with the error
// messages of gogo's generated code. Fields may come in any order; unknown ones are skipped.
// Source: spec/rest.md 5.12; core/schema/catalogue/README.md.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// The envelope of an object's message, as views of the bytes read.
struct ProtobufEnvelope {
  std::string_view api_version, kind;
  std::string_view message;
  std::string error;  // "unexpected EOF", "empty data" ...; empty if read
};
ProtobufEnvelope read_protobuf_envelope(std::string_view bytes);

struct ProtobufRead {
  json::Value value;
  std::string error;  // "proto: wrong wireType = 0 for field Name" ...; empty if read
  bool ok() const { return error.empty(); }
};

// Reads the bare message of `type`, to be finished by schema::decode_typed(): without kind and
// apiVersion, members in the order of the bytes. Strings are views of `message` or of the arena.
ProtobufRead read_protobuf_message(const schema::Type& type, std::string_view message,
                                   json::Arena& arena);

}  // namespace tabernetes::codec

// The protobuf encoding of Kubernetes to a working tree, driven by the schema, with the error texts
// of gogo's generated code. Fields may come in any order, unknown ones are skipped.
// Source: spec/rest.md 5.12; core/schema/catalogue/README.md.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// What stands around an object's message. The views are of the bytes that were read.
struct ProtobufEnvelope {
  std::string_view api_version, kind;
  std::string_view message;
  std::string error;  // "unexpected EOF", "empty data" ...; empty: read
};
ProtobufEnvelope read_protobuf_envelope(std::string_view bytes);

struct ProtobufRead {
  json::Value value;
  std::string error;  // "proto: wrong wireType = 0 for field Name" ...; empty: read
  bool ok() const { return error.empty(); }
};

// Reads the bare message of `type` as the object that JSON would show, without kind and apiVersion,
// members in the order of the bytes: schema::decode_typed gives it its final form. Strings are
// views of `message` or lie in the arena.
ProtobufRead read_protobuf_message(const schema::Type& type, std::string_view message,
                                   json::Arena& arena);

}  // namespace tabernetes::codec

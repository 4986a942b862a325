// Writes a working tree in the protobuf encoding of Kubernetes by the schema, byte for byte like
// gogo's generated code. Source: spec/rest.md 5.12; core/schema/catalogue/README.md.
//
//   object   = 'k' '8' 's' 0  Unknown
//   Unknown  = 1: TypeMeta{1: apiVersion, 2: kind}  2: message bytes  3: ""  4: ""
//   frame    = length (4 bytes, big endian)  WatchEvent{1: type, 2: RawExtension{1: object}}
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// The nesting limit of messages, for reading and writing.
inline constexpr int kDeepestMessage = 500;

// Returns the type for a tree with kind and apiVersion, or null if it has no protobuf form.
const schema::Type* protobuf_type(const schema::Catalogue& catalogue, const json::Value& object);

// Appends the object in its envelope. Members of a type other than the schema's count as unset.
// Returns false and leaves `out` unchanged if it has no protobuf form or nests too deep.
bool write_protobuf(const schema::Catalogue& catalogue, const json::Value& object,
                    std::string& out);

// Appends the bare message of `type`. Returns false if it nests too deep.
bool write_protobuf_message(const schema::Type& type, const json::Value& value, std::string& out);

// Write parts of a message assembled piece by piece: the head of a nested message of `size` bytes,
// and the envelope around an object's message of `size` bytes.
void write_protobuf_field_head(int number, std::size_t size, std::string& out);
void write_protobuf_envelope_head(std::string_view api_version, std::string_view kind,
                                  std::size_t size, std::string& out);
inline constexpr std::string_view kProtobufEnvelopeTail("\x1a\x00\x22\x00", 4);

// Writes one event of a watch; `object` was written by write_protobuf().
void write_protobuf_watch_frame(std::string_view event, std::string_view object, std::string& out);

}  // namespace tabernetes::codec

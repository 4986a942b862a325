// Working tree to the protobuf encoding of Kubernetes, driven by the schema; byte for byte what
// gogo's generated code writes. Source: spec/rest.md 5.12; core/schema/catalogue/README.md.
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

// Messages nest no deeper than this, in either direction.
inline constexpr int kDeepestMessage = 500;

// The type that a tree with kind and apiVersion is written as; null if it has no protobuf form.
const schema::Type* protobuf_type(const schema::Catalogue& catalogue, const json::Value& object);

// Appends the object in its envelope. Members of other types than the schema's count as unset.
// False: it has no protobuf form or nests too deep; `out` is as before.
bool write_protobuf(const schema::Catalogue& catalogue, const json::Value& object,
                    std::string& out);

// Appends the bare message of `type`. False: it nests too deep.
bool write_protobuf_message(const schema::Type& type, const json::Value& value, std::string& out);

// The parts of a message of which not all bytes are at hand: what goes before `size` bytes of a
// nested message, and before and after `size` bytes of an object's message.
void write_protobuf_field_head(int number, std::size_t size, std::string& out);
void write_protobuf_envelope_head(std::string_view api_version, std::string_view kind,
                                  std::size_t size, std::string& out);
inline constexpr std::string_view kProtobufEnvelopeTail("\x1a\x00\x22\x00", 4);

// One event of a watch; `object` is written by write_protobuf.
void write_protobuf_watch_frame(std::string_view event, std::string_view object, std::string& out);

}  // namespace tabernetes::codec

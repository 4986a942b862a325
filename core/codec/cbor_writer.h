// Writes a working tree as CBOR like kube-apiserver 1.36: strings and keys as byte strings,
// integers and floats in their shortest form, []byte fields as bytes under tag 22, times as text.
// The real server orders members randomly; ours are ordered as in its deterministic mode (RFC 8949
// 4.2.1), so that equal objects have equal bytes. Source: spec/rest.md 5.13; apimachinery 1.36
// serializer/cbor.
//
//   object   = d9d9f7  map                                       "self-described CBOR"
//   sequence = d9d9f7  {"type": event, "object": object} ...     for a watch
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// Appends the object with its prefix. Objects of kinds not in the catalogue are written without
// schema.
void write_cbor(const schema::Catalogue& catalogue, const json::Value& object, std::string& out);

// Appends a value without prefix, as a field of `type`, or without schema if null.
void write_cbor_value(const schema::Type* type, const json::Value& value, std::string& out);

// Write parts of a collection assembled piece by piece: the head of a map or an array, and a
// string. Keys of a map are sorted by length, then bytewise.
void write_cbor_map_head(std::uint64_t entries, std::string& out);
void write_cbor_array_head(std::uint64_t items, std::string& out);
void write_cbor_string(std::string_view text, std::string& out);

// Writes one event of a watch; `object` was written by write_cbor().
void write_cbor_watch_event(std::string_view event, std::string_view object, std::string& out);

}  // namespace tabernetes::codec

// Working tree to CBOR as kube-apiserver 1.36 writes it: strings and keys as byte strings, integers
// and floats in their shortest form, []byte fields as bytes under tag 22, times as text. The real
// server orders members at random; ours stand as in its deterministic mode (RFC 8949 4.2.1), so
// that equal objects have equal bytes. Source: spec/rest.md 5.13; apimachinery 1.36
// serializer/cbor.
//
//   object   = d9d9f7  map                                       "self-described CBOR"
//   sequence = d9d9f7  {"type": event, "object": object} …       of a watch
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// Appends the object with its prefix. A kind that the catalogue does not have is written by its
// values alone.
void write_cbor(const schema::Catalogue& catalogue, const json::Value& object, std::string& out);

// Appends a value without prefix, as a field of `type`; null: by itself alone.
void write_cbor_value(const schema::Type* type, const json::Value& value, std::string& out);

// The parts of a collection of which not all bytes are at hand: what stands before so many entries
// of a map or items of an array, and a string. Keys of a map go by length, then by bytes.
void write_cbor_map_head(std::uint64_t entries, std::string& out);
void write_cbor_array_head(std::uint64_t items, std::string& out);
void write_cbor_string(std::string_view text, std::string& out);

// One event of a watch; `object` is written by write_cbor.
void write_cbor_watch_event(std::string_view event, std::string_view object, std::string& out);

}  // namespace tabernetes::codec

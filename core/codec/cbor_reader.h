// CBOR to working tree as kube-apiserver 1.36 reads it, with the error texts of fxamacker/cbor.
//
// Text strings and byte strings, indefinite lengths, floats of any width and the self-described tag
// are taken; keys that stand twice, NaN, big numbers, undefined, and whatever does not fit its
// place are refused. Source: spec/rest.md 5.13; apimachinery 1.36 serializer/cbor,
// fxamacker/cbor 2.9.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// Strings of all results are views of the bytes or lie in the arena.
struct CborRead {
  json::Value value;
  std::string error;  // "cbor: found duplicate map key \"a\" at map element index 1"; empty: read
  bool ok() const { return error.empty(); }
};

// One item that may be anything. Members of objects are sorted by their keys.
CborRead read_cbor(std::string_view bytes, json::Arena& arena);
// One map, or null, which is an empty object: the body of a patch, an object without a schema.
CborRead read_cbor_map(std::string_view bytes, json::Arena& arena);

// What an object says it is, before its kind is known; all else is only looked at for its keys.
struct CborTypeMeta {
  std::string_view api_version, kind;
  std::string error;
};
CborTypeMeta read_cbor_type_meta(const schema::Catalogue& catalogue, std::string_view bytes,
                                 json::Arena& arena);

struct CborObjectRead {
  json::Value value;
  std::string error;          // of the type: "cbor: cannot unmarshal map into Go struct field …"
  std::string unknown_field;  // "cbor: found unknown field at map element index 1": the first one
  bool ok() const { return error.empty(); }
};

// An object of `type`: bytes fields as base64 text, members in the order of the bytes, without
// those that the type does not know; schema::decode_typed gives it its final form. `unknown_field`
// is looked for only when `strict`.
CborObjectRead read_cbor_object(const schema::Type& type, std::string_view bytes, bool strict,
                                json::Arena& arena);

}  // namespace tabernetes::codec

// Reads CBOR into a working tree like kube-apiserver 1.36, with fxamacker/cbor's error messages.
//
// Accepts text and byte strings, indefinite lengths, floats of any width and the self-described
// tag. Rejects duplicate keys, NaN, bignums, undefined, and items of the wrong type. Source:
// spec/rest.md 5.13; apimachinery 1.36 serializer/cbor, fxamacker/cbor 2.9.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// Strings in all results are views of the bytes or of the arena.
struct CborRead {
  json::Value value;
  std::string error;  // "cbor: found duplicate map key \"a\" at map element index 1"; empty if read
  bool ok() const { return error.empty(); }
};

// Reads one item of any type. Members of objects are sorted by key.
CborRead read_cbor(std::string_view bytes, json::Arena& arena);
// Reads one map, or null as an empty object: the body of a patch, an object without a schema.
CborRead read_cbor_map(std::string_view bytes, json::Arena& arena);

// The apiVersion and kind of an object, read before its type is known; of everything else only the
// keys are checked.
struct CborTypeMeta {
  std::string_view api_version, kind;
  std::string error;
};
CborTypeMeta read_cbor_type_meta(const schema::Catalogue& catalogue, std::string_view bytes,
                                 json::Arena& arena);

struct CborObjectRead {
  json::Value value;
  std::string error;          // of the type: "cbor: cannot unmarshal map into Go struct field ..."
  std::string unknown_field;  // the first: "cbor: found unknown field at map element index 1"
  bool ok() const { return error.empty(); }
};

// Reads an object of `type`, to be finished by schema::decode_typed(): bytes fields as base64 text,
// members in the order of the bytes, unknown members dropped. Sets `unknown_field` only if
// `strict`.
CborObjectRead read_cbor_object(const schema::Type& type, std::string_view bytes, bool strict,
                                json::Arena& arena);

}  // namespace tabernetes::codec

// Decodes what a client sent into the typed form of a kind.
//
// One walk does the work of Go's decoder and encoder for a built-in kind: members in the order of
// the type; unknown members dropped and reported; the last of duplicate members kept and reported;
// null means unset; types checked with encoding/json's messages; empty members omitted and
// always-written ones written. The result prints as the real server prints the object. Source:
// spec/rest.md 4.5, 5.11, 6; core/schema/catalogue/README.md.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::schema {

inline constexpr std::size_t kMaxStrictErrors = 100;

struct DecodeResult {
  json::Value value;  // shares strings and unchanged subtrees with the input
  // A type error: "json: cannot unmarshal string into Go struct field PodSpec.spec.containers of
  // type []v1.Container". Empty on success.
  std::string error;
  // `unknown field "spec.foo"`, `duplicate field "data.a"` in document order, without duplicates,
  // at most 100.
  std::vector<std::string> strict_errors;
};

// Returns the built-in type that the object's kind and apiVersion name, or null.
const Type* type_of_object(const Catalogue& catalogue, const json::Value& object);

// Treatment of an empty list or map that is always written; storage drops most of them.
enum class EmptyLists { kAsStored, kAsSent };

// Decodes `raw` (an object or null, which is an empty object) as `type`.
DecodeResult decode_typed(const Type& type, const json::Value& raw, json::Arena& arena,
                          EmptyLists empty = EmptyLists::kAsStored);

// Returns the value of an unset field that is always written (see Emit), with the emitted members
// of structs.
json::Value zero_value(const Type& type, json::Arena& arena);

// Sets the schema's declared defaults (`default` in the catalogue) on a decoded tree, in place.
void apply_defaults(const Type& type, json::Value& object, json::Arena& arena);

}  // namespace tabernetes::schema

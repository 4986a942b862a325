// From what a client sent to what a kind is: the typed form of a tree.
//
// One walk does what Go's decoder and encoder do together for a built-in kind: members in the
// order of the type, unknown members dropped (and reported), of double members the last (and
// reported), null as unset, types checked with encoding/json's texts, empty members left out and
// always-written ones written. The result prints as the real server prints the object.
// Source: spec/rest.md 4.5, 5.11, 6; core/schema/catalogue/README.md.
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
  // type []v1.Container". Empty: decoded.
  std::string error;
  // `unknown field "spec.foo"`, `duplicate field "data.a"` in document order, at most 100, each
  // once.
  std::vector<std::string> strict_errors;
};

// The built-in type that an object says it is; null if it is none of them.
const Type* type_of_object(const Catalogue& catalogue, const json::Value& object);

// What becomes of an empty list or map that is always written. The store takes most for none.
enum class EmptyLists { kAsStored, kAsSent };

// Decodes `raw` (an object or null, which is an empty object) as `type`.
DecodeResult decode_typed(const Type& type, const json::Value& raw, json::Arena& arena,
                          EmptyLists empty = EmptyLists::kAsStored);

// The value of an unset field that is always written (Emit, emitted members of a struct included).
json::Value zero_value(const Type& type, json::Arena& arena);

// Sets the schema's declared defaults (the `default` facts) on a decoded tree, in place.
void apply_defaults(const Type& type, json::Value& object, json::Arena& arena);

}  // namespace tabernetes::schema

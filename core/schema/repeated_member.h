// Internal to schema: duplicate members of an object.
#pragma once

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::schema {

// The decoded value of a field; not `present` if the field is omitted.
struct DecodedField {
  bool present = false;
  json::Value value;
};

// Returns the value of a field that was decoded as `before`, and again as `now` from `raw`. Go
// decodes into the existing value: structs and maps are merged, lists item by item, and a null
// changes only pointers, lists, maps and types that parse it themselves.
DecodedField merge_repeated(const Field& field, const DecodedField& before, const DecodedField& now,
                            const json::Value& raw, json::Arena& arena);

}  // namespace tabernetes::schema

// Internal to schema: members that stand twice in an object.
#pragma once

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::schema {

// What a field was decoded to; not present: it is left out.
struct DecodedField {
  bool present = false;
  json::Value value;
};

// What Go's decoder leaves of a field that was decoded before, and now again from `raw`: it decodes
// into what is there already. So structs and maps are merged, lists item by item, and a null
// changes nothing but pointers, lists, maps and types that read it themselves.
DecodedField merge_repeated(const Field& field, const DecodedField& before, const DecodedField& now,
                            const json::Value& raw, json::Arena& arena);

}  // namespace tabernetes::schema

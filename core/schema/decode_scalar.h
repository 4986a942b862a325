// Decodes the leaves of a typed tree: one JSON value as one leaf type, with Go's error messages.
#pragma once

#include <string>
#include <string_view>

#include "json/type_name.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::schema {

// Go's complaint about a value. `value` is "string", "number 5.5", "object" ...; `message` is the
// whole text of an error that names neither type nor field (a quantity, a time, base64).
struct LeafError {
  std::string value;
  std::string go_type;
  std::string message;
  bool stops = false;  // from a type's own UnmarshalJSON, which ends Go's decoding
};

// Like json::go_type_name(), with the number's text for numbers out of range.
std::string json_kind_with_number(const json::Value& value);

// Decodes `raw`, which is not null, as a leaf (neither kArray, kMap, kRef nor a schema union).
// `go_type` is the Go name of a string type ("v1.PodPhase"), empty for plain string. Returns false
// and sets `error` on failure.
bool decode_leaf(FieldType type, std::string_view go_type, const json::Value& raw,
                 json::Arena& arena, json::Value& out, LeafError& error);

// Returns a canonical quantity rounded up to thousandths.
json::Value rounded_to_milli(const json::Value& quantity, json::Arena& arena);

// Returns a free-form value as Go prints a map[string]interface{}: keys sorted, the last of
// duplicate keys, numbers in Go's form.
json::Value normalise_free_form(const json::Value& raw, json::Arena& arena);

}  // namespace tabernetes::schema

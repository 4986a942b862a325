// The leaves of a typed decode: one JSON value against one leaf type, with Go's texts.
#pragma once

#include <string>
#include <string_view>

#include "json/type_name.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::schema {

// What Go would complain about. `value` is "string", "number 5.5", "object" ...; `message` is the
// whole text of an error that names neither type nor field (a quantity, a time, base64).
struct LeafError {
  std::string value;
  std::string go_type;
  std::string message;
  bool stops = false;  // an UnmarshalJSON of a type's own: Go stops there
};

// The same with the number's text, for numbers that do not fit.
std::string json_kind_with_number(const json::Value& value);

// Decodes `raw`, which is not null, as a leaf (neither kArray, kMap, kRef nor a schema union).
// `go_type` is the Go name of a string type ("v1.PodPhase"), empty for plain string. False: see
// `error`.
bool decode_leaf(FieldType type, std::string_view go_type, const json::Value& raw,
                 json::Arena& arena, json::Value& out, LeafError& error);

// A canonical quantity, rounded up to thousandths.
json::Value rounded_to_milli(const json::Value& quantity, json::Arena& arena);

// A free-form value as Go's map[string]interface{} prints it again: keys sorted, of double keys the
// last, numbers in Go's form.
json::Value normalise_free_form(const json::Value& raw, json::Arena& arena);

}  // namespace tabernetes::schema

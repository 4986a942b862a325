// Parses JSON text into a working tree with Go's rules and error messages. yyjson parses; after an
// error a second, slow scanner finds encoding/json's message. Source: spec/rest.md 4.5 and 5.11.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::codec {

struct JsonRead {
  json::Value value;
  std::string error;  // "invalid character 'h' looking for beginning of value"; empty if parsed
  bool ok() const { return error.empty(); }
};

// Parses one JSON text. Duplicate keys are kept (Value::find() returns the last). int64 literals
// become kInt, every other number kDouble with its text; a number beyond the range of a double
// becomes an infinity, which the decoders must reject. Strings live in the arena, not in `text`.
// Invalid UTF-8 and lone surrogates become U+FFFD. Nesting deeper than 10000 is an error.
JsonRead read_json(std::string_view text, json::Arena& arena);

}  // namespace tabernetes::codec

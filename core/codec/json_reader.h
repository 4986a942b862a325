// JSON text to working tree, with Go's rules and Go's error texts. yyjson reads; on an error a
// second, slow scan finds the message of encoding/json. Source: spec/rest.md 4.5 and 5.11.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::codec {

struct JsonRead {
  json::Value value;
  std::string error;  // "invalid character 'h' looking for beginning of value"; empty: read
  bool ok() const { return error.empty(); }
};

// Reads one JSON text. A key that stands twice stays twice (Value::find gives the last). int64
// literals become kInt, every other number kDouble with its text; one beyond the range of a double
// is an infinity, which the decoders have to refuse. Strings live in the arena, not in `text`.
// Invalid UTF-8 and lone surrogates become U+FFFD. Nesting deeper than 10000 is an error.
JsonRead read_json(std::string_view text, json::Arena& arena);

}  // namespace tabernetes::codec

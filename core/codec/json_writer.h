// Working tree to JSON text, as Go's encoding/json writes it: `<`, `>`, `&`, U+2028 and U+2029
// escaped, shortest floats, members in the order of the tree. Source: spec/rest.md 5.11.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::codec {

// Floats shortest, or with the text that they were read from.
enum class Floats { kShortest, kAsSent };

// Compact, without a final newline; appended to `out`.
void write_json(const json::Value& value, std::string& out, Floats floats = Floats::kShortest);

// A member of an object whose text `out` ends with so far: `"name":value`, behind a comma unless it
// is the first.
void write_json_member(std::string_view name, const json::Value& value, std::string& out);

// Two-space indent, empty {} and [] on one line, no final newline.
void write_json_pretty(const json::Value& value, std::string& out);

// A JSON string with its quotes, escaped as above.
void write_json_string(std::string_view text, std::string& out);

// Reformats compact JSON that write_json made (stored bytes) as write_json_pretty would.
// `depth`: of the value in what it is a part of.
void prettify_json(std::string_view compact, std::string& out, std::size_t depth = 0);

}  // namespace tabernetes::codec

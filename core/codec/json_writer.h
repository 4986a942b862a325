// Writes a working tree as JSON like Go's encoding/json: `<`, `>`, `&`, U+2028 and U+2029 escaped,
// shortest floats, members in the order of the tree. Source: spec/rest.md 5.11.
#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace tabernetes::codec {

// Writes floats in the shortest form, or as they were sent.
enum class Floats { kShortest, kAsSent };

// Appends compact JSON without a final newline.
void write_json(const json::Value& value, std::string& out, Floats floats = Floats::kShortest);
// Returns what write_json writes; "null" for a null pointer.
std::string json_text(const json::Value& value);
std::string json_text(const json::Value* value);

// Appends the member `"name":value` to an open object, with a comma unless it is the first.
void write_json_member(std::string_view name, const json::Value& value, std::string& out);

// Indents by two spaces, writes {} and [] on one line, adds no final newline.
void write_json_pretty(const json::Value& value, std::string& out);

// Appends a JSON string with quotes, escaped as above.
void write_json_string(std::string_view text, std::string& out);

// Reformats compact JSON made by write_json() (stored bytes) like write_json_pretty(). `depth` is
// the value's nesting depth in the surrounding text.
void prettify_json(std::string_view compact, std::string& out, std::size_t depth = 0);

}  // namespace tabernetes::codec

// Splits JSON lists into items without building a tree of the whole: a dump of a cluster may be
// large, and so may a snapshot.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::codec {

// Returns the end of the JSON object or array at the start of `text`: the position after its last
// bracket, or text.size(). The content need not be valid JSON.
std::size_t json_extent(std::string_view text);

struct JsonItem {
  std::string_view text;
  std::string kind;  // its member `kind`; empty if not a string
};

// Returns the items if `text` is `{"kind":"...List",...,"items":[{...},...],...}`, with members in
// any order. Returns nullopt if it is anything else or hard to tell; read_json() can decide.
std::optional<std::vector<JsonItem>> split_json_list(std::string_view text);

// A document that is one object, split at an array in it.
struct JsonParts {
  std::string frame;  // the document with the array emptied
  std::vector<std::string_view> items;
};

// Splits at the array that is the document's member `name`. Returns nullopt if there is none or it
// is hard to tell. The parts may be invalid JSON; read_json() decides.
std::optional<JsonParts> split_json_array(std::string_view text, std::string_view name);

}  // namespace tabernetes::codec

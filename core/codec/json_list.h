// The items of a JSON list, without a tree of the whole: a dump of a cluster may be large, and so
// may a snapshot.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tabernetes::codec {

// The end of the JSON object or array that `text` begins with: behind its last bracket, or
// text.size(). What lies between need not be JSON.
std::size_t json_extent(std::string_view text);

struct JsonItem {
  std::string_view text;
  std::string kind;  // its member `kind`; empty if that is no string
};

// The items if `text` is `{"kind":"…List",…,"items":[{…},…],…}` and nothing else, its members in
// any order. Nothing if it is anything else, or not surely that: read_json() knows.
std::optional<std::vector<JsonItem>> split_json_list(std::string_view text);

// A document that is one object, taken apart at an array in it.
struct JsonParts {
  std::string frame;  // the document with the array left empty
  std::vector<std::string_view> items;
};

// At the array that is the document's member `name`. Nothing if there is none, or not surely; what
// the parts say, and whether they are JSON, is for read_json() to know.
std::optional<JsonParts> split_json_array(std::string_view text, std::string_view name);

}  // namespace tabernetes::codec

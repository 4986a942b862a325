// The items of a JSON list, without a tree of the whole: a dump of a cluster may be large.
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

}  // namespace tabernetes::codec

// Reads CBOR items as JSON values without a schema, like Go's decoder into an `interface{}`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/cbor_items.h"

namespace tabernetes::codec::cbor {

// Reads the next item; returns false and notes an error if JSON cannot represent it. Members of
// objects are sorted. Byte strings become strings, in base64 or hexadecimal if a tag says so;
// tagged times become RFC 3339 text; other tags are dropped.
bool read_value(Items& items, json::Value& out);

// An entry of a map or an item of an array, on a stack shared by nested containers.
struct Entry {
  std::string_view key;
  std::uint32_t index = 0;  // its index in the map
  json::Value value;
};

// Removes the entries from `first` on and returns them as an object, sorted. A duplicate key is an
// error that replaces those inside the map (ReadErrors::replace).
bool close_map(std::vector<Entry>& entries, std::size_t first, bool errors_before, Items& items,
               json::Value& out);
json::Value close_array(std::vector<Entry>& entries, std::size_t first, json::Arena& arena);

}  // namespace tabernetes::codec::cbor

// CBOR items as JSON values, without a schema: what Go's decoder makes of an `interface{}`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "codec/cbor_items.h"

namespace tabernetes::codec::cbor {

// The next item; false, and an error, if it is none that JSON can say. Members of objects are
// sorted. Byte strings are strings, as base64 or hexadecimal text where a tag asks for it; tagged
// times are RFC 3339 text, the content of other tags stands for itself.
bool read_value(Items& items, json::Value& out);

// What is read of one map, on a stack that the maps inside of it share.
struct Entry {
  std::string_view key;
  std::uint32_t index = 0;  // which entry of the map it was
  json::Value value;
};

// The entries from `first` on as an object, sorted; they are taken off. A key that stands twice is
// an error that replaces those of the inside (ReadErrors::replace).
bool close_map(std::vector<Entry>& entries, std::size_t first, bool errors_before, Items& items,
               json::Value& out);
json::Value close_array(std::vector<Entry>& entries, std::size_t first, json::Arena& arena);

}  // namespace tabernetes::codec::cbor

// The fields of a stored object that its schema does not know: those of a newer server.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tabernetes::codec {

// Deeper down nothing is kept.
inline constexpr int kDeepestUnknown = 100;

struct UnknownBelow;

struct UnknownFields {
  std::string fields;               // protobuf: whole, with their tags; JSON: an object of them
  std::vector<UnknownBelow> below;  // of the messages in known fields

  bool empty() const { return fields.empty() && below.empty(); }
};

// Of the message in a field. A message of a list is known by its name (in protobuf the text of its
// field 1), such as that of a container, if no other one of that list has the same.
struct UnknownBelow {
  std::uint32_t field = 0;  // protobuf: its number; JSON: its index in Type::json_fields()
  std::string element;      // empty: the field is no list
  UnknownFields unknown;
};

}  // namespace tabernetes::codec

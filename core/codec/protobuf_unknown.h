// Fields of a protobuf message that its schema does not know: those of a newer server. They are
// found in a message as it was stored, and put into the one that replaces it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace tabernetes::codec {

struct UnknownBelow;

struct UnknownFields {
  std::string fields;               // whole, with their tags
  std::vector<UnknownBelow> below;  // of the messages in known fields

  bool empty() const { return fields.empty() && below.empty(); }
};

// Of the message in a field. A message of a list is known by the text of its field 1, such as the
// name of a container, if no other one of that list has the same.
struct UnknownBelow {
  std::uint32_t field = 0;
  std::string element;  // empty: the field is no list
  UnknownFields unknown;
};

// Returns what is unknown in a message of `type`; nothing if it cannot be read.
UnknownFields find_unknown_fields(const schema::Type& type, std::string_view message);

// Returns `message` with the unknown fields of an earlier one; those of messages that are not there
// any more are left out.
std::string with_unknown_fields(const schema::Type& type, std::string_view message,
                                const UnknownFields& unknown);

}  // namespace tabernetes::codec

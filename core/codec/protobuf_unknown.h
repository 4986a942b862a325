// Fields of a protobuf message that its schema does not know: those of a newer server. They are
// found in a message as it was stored, and put into the one that replaces it.
#pragma once

#include <string>
#include <string_view>

#include "codec/unknown_fields.h"
#include "schema/schema.h"

namespace tabernetes::codec {

// Returns what is unknown in a message of `type`; nothing if it cannot be read.
UnknownFields find_unknown_fields(const schema::Type& type, std::string_view message);

// Returns `message` with the unknown fields of an earlier one; those of messages that are not there
// any more are left out.
std::string with_unknown_fields(const schema::Type& type, std::string_view message,
                                const UnknownFields& unknown);

}  // namespace tabernetes::codec

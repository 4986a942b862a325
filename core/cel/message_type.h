// The types of the messages that mutations construct; values of them are maps that have the type.
// Internal.
#pragma once

#include <string_view>

#include "cel/type.h"

namespace tabernetes::cel {

// `name`, such as "Object.spec", must live as long as the arena.
const Type* message_type(std::string_view name, json::Arena& arena);
bool is_message(const Type& type);

}  // namespace tabernetes::cel

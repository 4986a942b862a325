// Internal to codec: trees as Go's %#v prints what go-yaml makes of them, for error messages.
#pragma once

#include <cstdint>
#include <string>

#include "json/value.h"

namespace tabernetes::codec {

// []interface {}{"a", map[interface {}]interface {}{"k":1}, interface {}(nil)}
std::string go_syntax(const json::Value& value);

// 0x1f
std::string go_hex(std::uint64_t number);

}  // namespace tabernetes::codec

// Internal to codec: prints trees like Go's %#v of go-yaml's values, for error messages.
#pragma once

#include <cstdint>
#include <string>

#include "json/value.h"

namespace tabernetes::codec {

// Returns []interface {}{"a", map[interface {}]interface {}{"k":1}, interface {}(nil)}.
std::string go_syntax(const json::Value& value);

// Returns 0x1f.
std::string go_hex(std::uint64_t number);

}  // namespace tabernetes::codec

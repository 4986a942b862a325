// Internal to codec: YAML text as go-yaml v3 writes what it has read from JSON, which is how
// gnostic's messages carry values of any type.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::codec {

// REQUIRES: numbers come from a text (Value::double_text), as they are written as they stood there.
std::string yaml_go3_text(const json::Value& value);

}  // namespace tabernetes::codec

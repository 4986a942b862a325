// Internal to codec: writes YAML like go-yaml v3 for a value read from JSON. gnostic's messages
// carry values of any type in this form.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::codec {

// REQUIRES: numbers have their text (Value::double_text()), which is written unchanged.
std::string yaml_go3_text(const json::Value& value);

}  // namespace tabernetes::codec

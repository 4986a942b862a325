// The encodings under test, each as two functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/media_type.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::property {

// All that hold whole objects of `type`.
std::vector<codec::Encoding> encodings_of(const schema::Type& type);

// An object with kind and apiVersion; fails the test if it cannot be written.
std::string encode(codec::Encoding encoding, const json::Value& object);

// The object of `type` that a server would take `bytes` for; fails the test if it would refuse them
// or warn. Views of `bytes` or of the arena.
json::Value decode(codec::Encoding encoding, const schema::Type& type, std::string_view bytes,
                   json::Arena& arena);

}  // namespace tabernetes::property

// The encodings under test, each with one function to encode and one to decode.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codec/media_type.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::property {

// Returns all encodings that can hold whole objects of `type`.
std::vector<codec::Encoding> encodings_of(const schema::Type& type);

// Encodes an object with kind and apiVersion; fails the test if that is impossible.
std::string encode(codec::Encoding encoding, const json::Value& object);

// Decodes `bytes` as the server does; fails the test on an error or a warning. The result is a view
// of `bytes` or of the arena.
json::Value decode(codec::Encoding encoding, const schema::Type& type, std::string_view bytes,
                   json::Arena& arena);

}  // namespace tabernetes::property

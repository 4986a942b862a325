// Random objects of the catalogue's types, with values that encoders tend to get wrong.
#pragma once

#include "base/numbers/entropy.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::property {

// Returns an object of `type` with about `size` values, in its typed form, without kind and
// apiVersion. Its strings can be represented in every encoding.
json::Value random_object(const schema::Type& type, std::size_t size, Entropy& entropy,
                          json::Arena& arena);

}  // namespace tabernetes::property

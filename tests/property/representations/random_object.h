// Objects drawn from the catalogue: what a kind may hold, with the values that encoders get wrong.
#pragma once

#include "base/entropy.h"
#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::property {

// An object of `type` with about `size` values, in its typed form; kind and apiVersion are left
// out. Strings are such that every encoding can hold them.
json::Value random_object(const schema::Type& type, std::size_t size, Entropy& entropy,
                          json::Arena& arena);

}  // namespace tabernetes::property

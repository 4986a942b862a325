// The object of a bookmark, without data.
#pragma once

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::registry::kinds {

// Adds the fields that the real server's conversions write to an empty object, in addition to the
// zero values of its type: 0 for a count that is a number in the internal type and a pointer in v1.
void add_conversion_zeros(const schema::Resource& resource, json::Value& object,
                          json::Arena& arena);

}  // namespace tabernetes::registry::kinds

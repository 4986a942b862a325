// The object of a bookmark: one of which nothing is known.
#pragma once

#include "json/value.h"
#include "schema/schema.h"

namespace tabernetes::registry::kinds {

// What the real server's conversions write into an object that has nothing in it, beyond the zeros
// of its type: a count that is a number inside and a pointer outside is there, and 0.
void fill_empty_object(const schema::Resource& resource, json::Value& object, json::Arena& arena);

}  // namespace tabernetes::registry::kinds

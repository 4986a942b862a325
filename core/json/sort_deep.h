// Sorts the members of a tree in the order in which Go writes maps.
#pragma once

#include "json/value.h"

namespace tabernetes::json {

// Sorts the members of all objects of the tree by their keys, in place.
void sort_deep(const Value& tree);

}  // namespace tabernetes::json

// metadata.generation: which changes increment it. Source: spec/lifecycle.md 1.3.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry {

// Sets the generation of a new object.
void start_generation(const Strategy& strategy, json::Value& object, json::Arena& arena);

// Sets the generation of an object that replaces `old`: the old one, or one more if the relevant
// part differs. Returns true if the member is new: it is the last one then, and the tree must be
// decoded again to restore the order.
bool bump_generation(const Strategy& strategy, json::Value& object, const json::Value& old,
                     json::Arena& arena);

}  // namespace tabernetes::registry

// metadata.generation: who counts, and when. Source: spec/lifecycle.md 1.3.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry {

// Sets the generation of a new object.
void start_generation(const Strategy& strategy, json::Value& object, json::Arena& arena);

// Sets the generation of an object that replaces `old`: kept, or one more if the part that counts
// differs. True if the member was not there before: then it stands last, and the tree is to be
// normalised again.
bool bump_generation(const Strategy& strategy, json::Value& object, const json::Value& old,
                     json::Arena& arena);

}  // namespace tabernetes::registry

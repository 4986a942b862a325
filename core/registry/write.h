// Steps that creating and updating share.
#pragma once

#include "registry/registry.h"

namespace tabernetes::registry {

// The typed form again after hooks and defaults have changed the tree.
json::Value normalise(const ResourceType& type, const json::Value& object, json::Arena& arena);

// What decoding fills in: the declared defaults, then those that the kind computes.
void fill_in(const HookContext& context, const ResourceType& type, json::Value& object);

// True if the resource has its status apart, as a subresource.
bool has_status_subresource(const ResourceType& type);

}  // namespace tabernetes::registry

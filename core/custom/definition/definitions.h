// Makes the served resources from the stored CustomResourceDefinitions.
#pragma once

#include "registry/kind/dynamic_kind.h"

namespace tabernetes::registry::custom {

// Returns the implementation for customresourcedefinitions.
const Definitions& definitions();

// Returns true if `type` is the type of CustomResourceDefinition.
bool is_definition(const ResourceType& type);

}  // namespace tabernetes::registry::custom

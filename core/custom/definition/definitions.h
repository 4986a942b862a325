// From the stored CustomResourceDefinitions to the resources that are served.
#pragma once

#include "registry/kind/defined_kind.h"

namespace tabernetes::registry::custom {

// Makes kinds of the objects of customresourcedefinitions.
const Definitions& definitions();

// Returns whether objects of `type` define custom resources.
bool is_definition(const ResourceType& type);

}  // namespace tabernetes::registry::custom

// Defaults of kinds for dynamic resource allocation. Source: spec/defaults-validation.md 12.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_resource_slice_defaults(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds

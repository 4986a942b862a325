// Defaults of kinds for configuration, access and scheduling. Source: spec/defaults-validation.md
// 0.2, 2, 6.2, 7, 10, 11; spec/lifecycle.md 1.11.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Moves stringData to data, where it overrides existing keys.
void set_secret_defaults(const HookContext& context, json::Value& object);
// For containers: the default limit is the maximum, the default request that limit or else the
// minimum.
void set_limit_range_defaults(const HookContext& context, json::Value& object);
void set_node_defaults(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds

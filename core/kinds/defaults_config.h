// What configuration, access and scheduling kinds have when the client does not say.
// Source: spec/defaults-validation.md 0.2, 2, 6.2, 7, 10, 11; spec/lifecycle.md 1.11.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// stringData goes into data, where it wins, and is not kept.
void set_secret_defaults(const HookContext& context, json::Value& object);
// Of containers: a default limit is the maximum, a default request that limit or the minimum.
void set_limit_range_defaults(const HookContext& context, json::Value& object);
void set_node_defaults(const HookContext& context, json::Value& object);

// A new node is not ready.
Result<void> admit_node(const HookContext& context, json::Value& object, const json::Value* old);

}  // namespace tabernetes::registry::kinds

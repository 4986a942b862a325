// Namespaces: the `kubernetes` finalizer, the phase, the name label. Source: spec/lifecycle.md 5.
#pragma once

#include <string_view>

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_namespace_defaults(const HookContext& context, json::Value& object);
void prepare_namespace_for_create(const HookContext& context, json::Value& object);
void prepare_namespace_for_update(const HookContext& context, json::Value& object,
                                  const json::Value& old);

// Returns true while the namespace has spec.finalizers.
bool namespace_holds_deletion(const json::Value& object);

// Marks a namespace as terminating, without grace period and generation.
void start_namespace_deletion(const HookContext& context, json::Value& object, bool already);

}  // namespace tabernetes::registry::kinds

// Namespaces: the `kubernetes` finalizer, the phase, the name label. Source: spec/lifecycle.md 5.
#pragma once

#include <string_view>

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_namespace_defaults(const HookContext& context, json::Value& object);
void prepare_namespace_for_create(const HookContext& context, json::Value& object);
void prepare_namespace_for_update(const HookContext& context, json::Value& object,
                                  const json::Value& old);

// default, kube-system and kube-public may not be deleted.
std::string_view namespace_protection(std::string_view name);

// spec.finalizers keep a namespace until its content is gone.
bool namespace_holds_deletion(const json::Value& object);

// A terminating namespace has no grace period and no generation.
void start_namespace_deletion(const HookContext& context, json::Value& object, bool already);

}  // namespace tabernetes::registry::kinds

// Defaults of network kinds. Source: spec/defaults-validation.md 2.2, 5, 7; spec/lifecycle.md 1.11.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// Sets the default class of an ingress without one.
Result<void> admit_ingress(const HookContext& context, json::Value& object, const json::Value* old);

}  // namespace tabernetes::registry::kinds

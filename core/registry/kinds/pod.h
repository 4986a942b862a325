// Pods: the status a new one has. Source: spec/lifecycle.md 1.4.
#pragma once

#include "registry/strategy.h"

namespace tabernetes::registry::kinds {

void prepare_pod_for_create(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds

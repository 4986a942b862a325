// Defaults of HorizontalPodAutoscaler. Source: spec/defaults-validation.md 6.4.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_autoscaler_defaults(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds

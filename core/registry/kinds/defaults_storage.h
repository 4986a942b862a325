// What classes and drivers of storage have when the client does not say.
// Source: spec/defaults-validation.md 6.3.
#pragma once

#include "registry/strategy.h"

namespace tabernetes::registry::kinds {

void set_storage_class_defaults(const HookContext& context, json::Value& object);
void set_csi_driver_defaults(const HookContext& context, json::Value& object);

}  // namespace tabernetes::registry::kinds

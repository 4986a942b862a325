// What volumes and claims have when the client does not say.
// Source: spec/defaults-validation.md 1.3, 2.3, 2.4; spec/lifecycle.md 1.11.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

// A volume of a pod.
void set_csi_driver_defaults(const HookContext& context, json::Value& object);
void set_volume_defaults(json::Value& volume, json::Arena& arena);

// The spec of a claim, also of one that a template makes.
void set_claim_spec_defaults(json::Value& claim, json::Arena& arena);

void prepare_persistent_volume_for_create(const HookContext& context, json::Value& volume);
// A status with another phase says since when, unless it says so itself.
void prepare_persistent_volume_part(const HookContext& context, Part part, json::Value& volume,
                                    const json::Value& old);

// The finalizers that keep a volume, a claim or a class that is in use.
Result<void> protect_persistent_volume(const HookContext& context, json::Value& object,
                                       const json::Value* old);
// Also the default storage class of one that names none.
Result<void> admit_persistent_volume_claim(const HookContext& context, json::Value& object,
                                           const json::Value* old);
Result<void> protect_volume_attributes_class(const HookContext& context, json::Value& object,
                                             const json::Value* old);

}  // namespace tabernetes::registry::kinds

// Defaults of volumes and claims. Source: spec/defaults-validation.md 1.3, 2.3, 2.4;
// spec/lifecycle.md 1.11.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_csi_driver_defaults(const HookContext& context, json::Value& object);
void set_volume_defaults(json::Value& volume, json::Arena& arena);

// Sets the defaults of a claim's spec, also in claim templates.
void set_claim_spec_defaults(json::Value& claim, json::Arena& arena);

void prepare_persistent_volume_for_create(const HookContext& context, json::Value& volume);
// Sets lastPhaseTransitionTime when the phase changes, unless the client sets it.
void prepare_persistent_volume_subresource(const HookContext& context, Subresource subresource,
                                           json::Value& volume, const json::Value& old);

}  // namespace tabernetes::registry::kinds

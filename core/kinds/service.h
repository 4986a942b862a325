// Services: defaults, what follows from a change of type, addresses and ports.
// Source: spec/defaults-validation.md 2.1; spec/lifecycle.md 8.11; upstream 1.36
// pkg/registry/core/service/storage/{alloc,storage}.go.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_service_defaults(const HookContext& context, json::Value& service);

void prepare_service_for_create(const HookContext& context, json::Value& service);
// Keeps what was allocated and the client did not repeat; drops what the new type has not.
void prepare_service_for_update(const HookContext& context, json::Value& service,
                                const json::Value& old);

// 422 for a service that has an address and no ports.

// Families, cluster address, node ports. Errors: 422 for an address or port that is taken or
// outside of its range, or an address that changes; 500 when none is left.
Result<void> allocate_service(const HookContext& context, json::Value& service,
                              const json::Value* old);
void service_stored(const HookContext& context, const json::Value* before,
                    const json::Value* after);

}  // namespace tabernetes::registry::kinds

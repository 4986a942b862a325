// Services: defaults, changes of type, addresses and ports. Source: spec/defaults-validation.md
// 2.1; spec/lifecycle.md 8.11; upstream 1.36 pkg/registry/core/service/storage/{alloc,storage}.go.
#pragma once

#include "registry/kind/strategy.h"

namespace tabernetes::registry::kinds {

void set_service_defaults(const HookContext& context, json::Value& service);

void prepare_service_for_create(const HookContext& context, json::Value& service);
// Keeps allocated values that the client does not repeat; drops fields that the new type does not
// have.
void prepare_service_for_update(const HookContext& context, json::Value& service,
                                const json::Value& old);

// Allocates families, cluster address and node ports. Errors: 422 for an address or port that is in
// use or out of range, or for a changed address; 500 if none is free.
Result<void> allocate_service(const HookContext& context, json::Value& service,
                              const json::Value* old);
void service_stored(const HookContext& context, const json::Value* before,
                    const json::Value* after);

}  // namespace tabernetes::registry::kinds

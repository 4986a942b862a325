// The strategy and the warnings that all custom resources share.
#pragma once

#include "registry/kind/strategy.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::custom {

const Strategy& strategy();

// Adds warnings about new finalizers that are not domain-qualified; `old` is null on create.
void finalizer_warnings(const json::Value& object, const json::Value* old, Warnings& out);

}  // namespace tabernetes::registry::custom

// What all custom resources have in common: their row of registry/strategy.h, and what they warn
// of.
#pragma once

#include "registry/kind/strategy.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::custom {

const Strategy& strategy();

// Of new finalizers whose names others may choose too; `old` is null on create.
void finalizer_warnings(const json::Value& object, const json::Value* old, Warnings& out);

}  // namespace tabernetes::registry::custom

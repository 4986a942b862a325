// Specs of persistent volume claims, also in claim templates.
#pragma once

#include "kinds/row/rules.h"
#include "registry/kind/warnings.h"

namespace tabernetes::registry::kinds {

void set_claim_spec_defaults(json::Value& claim, json::Arena& arena);
void warn_of_claim_spec(const Field& resources, Warnings& out);

}  // namespace tabernetes::registry::kinds

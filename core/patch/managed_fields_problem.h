// The real server's error messages for invalid managedFields. Source: upstream 1.36 apimachinery
// pkg/util/managedfields/internal (DecodeManagedFields); structured-merge-diff fieldpath
// (Set.FromJSON) and its JSON reader.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::patch {

// Returns an error such as "operation must be `Apply` or `Update`". REQUIRES: read_managed_fields()
// returned nullopt.
std::string managed_fields_problem(const json::Value& list);

}  // namespace tabernetes::patch

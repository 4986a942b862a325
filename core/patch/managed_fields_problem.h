// Why managedFields cannot be read, in the words of the real server.
// Source: upstream 1.36 apimachinery pkg/util/managedfields/internal (DecodeManagedFields);
// structured-merge-diff fieldpath (Set.FromJSON) and the reader it is written on.
#pragma once

#include <string>

#include "json/value.h"

namespace tabernetes::patch {

// "operation must be `Apply` or `Update`". REQUIRES: read_managed_fields() has found nothing.
std::string managed_fields_problem(const json::Value& list);

}  // namespace tabernetes::patch

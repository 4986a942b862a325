// metadata.ownerReferences of a written object. Source: upstream 1.36 apiserver
// pkg/endpoints/handlers/rest.go, dedupOwnerReferences.
#pragma once

#include <string>
#include <vector>

#include "json/value.h"

namespace tabernetes::registry {

// When references are looked at; the warning says it.
enum class OwnersSeen { kAsSent, kAfterMutatingAdmission };

// Removes owner references that equal an earlier one, and adds a warning with their uids to
// `warnings`, if that is not null.
void drop_equal_owners(json::Value& object, OwnersSeen seen, std::vector<std::string>* warnings,
                       json::Arena& arena);

}  // namespace tabernetes::registry

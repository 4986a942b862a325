// Computes an object's usage of a quota. Source: upstream 1.36 pkg/quota/v1/evaluator.
#pragma once

#include <string_view>

#include "admission/resources.h"
#include "registry/kind/resource_type.h"
#include "tabernetes/time.h"

namespace tabernetes::admission {

// Returns everything that one object of `type` counts towards.
ResourceList quota_usage(const registry::ResourceType& type, const json::Value& object, Time now);

// Returns whether a quota's amount of that name limits `type`.
bool measures(const registry::ResourceType& type, std::string_view name);

// Returns whether all scopes of the quota match the object.
bool matches_scopes(const registry::ResourceType& type, const json::Value& quota,
                    const json::Value& object);

// Returns the amounts of `required` that containers of a pod lack: `a for: c1,c2; b for: c1`.
std::string missing_requests(const json::Value& pod, const ResourceList& required);

}  // namespace tabernetes::admission

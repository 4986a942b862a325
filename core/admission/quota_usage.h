// What an object uses of a quota. Source: upstream 1.36 pkg/quota/v1/evaluator.
#pragma once

#include <string_view>

#include "admission/resources.h"
#include "registry/resource_type.h"
#include "tabernetes/time.h"

namespace tabernetes::admission {

// Everything that one object of `type` counts for.
ResourceList quota_usage(const registry::ResourceType& type, const json::Value& object, Time now);

// Whether usage of `type` is measured by an amount of that name.
bool measures(const registry::ResourceType& type, std::string_view name);

// Whether a quota counts the object: all its scopes are the object's.
bool in_scopes(const registry::ResourceType& type, const json::Value& quota,
               const json::Value& object);

// The amounts of `required` that some containers of a pod do not say: `a for: c1,c2; b for: c1`.
std::string missing_amounts(const json::Value& pod, const ResourceList& required);

}  // namespace tabernetes::admission

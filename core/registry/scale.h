// The scale of an object: how many replicas it wants and has, in the one form (autoscaling/v1
// Scale) that all kinds with the subresource share. Source: spec/lifecycle.md, `scale`.
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "registry/resource_type.h"

namespace tabernetes::registry {

// The Scale that shows `object`, one of `type`.
json::Value scale_of(const ResourceType& type, const json::Value& object, json::Arena& arena);

// `object` as `scale` wants it: its replicas, and a version or uid that the client gave as its
// preconditions. Errors: 422.
Result<json::Value> apply_scale(const json::Value& object, const json::Value& scale,
                                json::Arena& arena);

}  // namespace tabernetes::registry

// The Scale of an object: its desired and current replicas as autoscaling/v1 Scale, the same for
// all kinds with the subresource. Source: spec/lifecycle.md, `scale`.
#pragma once

#include "base/api/result.h"
#include "json/value.h"
#include "registry/life/registry.h"

namespace tabernetes::registry {

// Returns the Scale of `object`, which has the type `type`.
json::Value scale_of(const ResourceType& type, const json::Value& object, json::Arena& arena);

// The context of a write to a scale.
struct Scaling {
  Registry& registry;
  const WriteContext& context;
  ObjectRef ref;               // the object
  const schema::Type& schema;  // of Scale
};

// Returns the Scale for patches, with managedFields of the replicas. Errors: 500 if managedFields
// cannot be decoded.
Result<json::Value> scale_with_managed_fields(const Scaling& scaling, const json::Value& object);

// Returns `object` with the replicas of `scale`, their managedFields, and the resourceVersion or
// uid that the client set as preconditions. Errors: 422, those of admission and of
// scale_with_managed_fields().
Result<json::Value> apply_scale(const Scaling& scaling, const json::Value& object,
                                json::Value scale);

}  // namespace tabernetes::registry

// The scale of an object: how many replicas it wants and has, in the one form (autoscaling/v1
// Scale) that all kinds with the subresource share. Source: spec/lifecycle.md, `scale`.
#pragma once

#include "base/result.h"
#include "json/value.h"
#include "registry/life/registry.h"
#include "registry/ownership/managed_fields_cache.h"

namespace tabernetes::registry {

// The Scale that shows `object`, one of `type`.
json::Value scale_of(const ResourceType& type, const json::Value& object, json::Arena& arena);

// What a write to the scale of an object goes to.
struct Scaling {
  const WriteContext& context;
  const ResourceType& type;  // of the object
  const ResourceTable& resources;
  const schema::Type& schema;  // of scales
  ManagedFieldsCache& cache;
};

// The Scale as patches change it: it says who wants its replicas. Error: 500 for managedFields that
// cannot be read.
Result<json::Value> owned_scale(const Scaling& scaling, const json::Value& object);

// `object` as `scale` wants it: its replicas, who owns them, and a version or uid that the client
// gave as its preconditions. Errors: 422, and that of owned_scale().
Result<json::Value> apply_scale(const Scaling& scaling, const json::Value& object,
                                json::Value scale);

}  // namespace tabernetes::registry

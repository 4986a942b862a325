#include "registry/life/scale.h"

#include <string>

#include "base/api/field_error.h"
#include "base/go/text.h"
#include "base/text/parts.h"
#include "json/access.h"
#include "patch/scale_fields.h"
#include "registry/kind/kind_behaviour.h"
#include "registry/meta/member_path.h"
#include "registry/meta/object_meta.h"
#include "registry/ownership/managed_fields.h"
#include "registry/ownership/managed_fields_cache.h"
#include "registry/ownership/object_versions.h"
#include "registry/selectors/selector_object.h"

namespace tabernetes::registry {
namespace {

using json::Value;

std::int64_t count_at(const Value& object, std::string_view path) {
  const Value* value = value_at(object, path);
  return value != nullptr && value->is_int() ? value->as_int() : 0;
}

Value metadata_of_scale(const Value& object, json::Arena& arena) {
  Value metadata = Value::object(arena);
  const Value* from = metadata_of(object);
  if (from == nullptr) return metadata;
  for (const std::string_view field :
       {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (const Value* value = from->find(field)) metadata.append(arena, field, *value);
  }
  return metadata;
}

// The location of the replicas in an object of the type.
struct ReplicasPath {
  explicit ReplicasPath(const Scaling& scaling)
      : versions(*scaling.ref.type, scaling.registry.resources(), scaling.context.pending),
        replicas{versions, scaling.ref.type->api_version, {}} {
    for (const std::string_view name :
         split(path_without_dot(scaling.ref.type->behaviour->scale().replicas), '.')) {
      replicas.path.push_back(patch::PathElement::field(name));
    }
  }

  ObjectVersions versions;
  patch::Replicas replicas;
};

// Updates managedFields of `scale` for a write of its replicas, unless an apply has done so.
void track_scale_fields(const Scaling& scaling, const Value& before, Value& scale) {
  if (scaling.context.applies) return;
  patch::Writer writer = writer_of(scaling.context, *scaling.ref.type);
  writer.api_version = patch::kScaleVersion;
  track_managed_fields(scaling.context, ObjectVersions(scaling.schema), writer, scale, &before);
}

// Sets managedFields of `scaled` to those of `object`, with the entries of `scale`.
void take_entries(const Scaling& scaling, const Value& object, const Value& scale, Value& scaled) {
  ManagedFieldsCache& cache = scaling.registry.managed_fields_cache();
  set_entries(scaled,
              patch::with_scale_entries(managed_fields_of(object, &cache), managed_fields_of(scale),
                                        ReplicasPath(scaling).replicas),
              scaling.context.arena, &cache);
}

}  // namespace

Value scale_of(const ResourceType& type, const Value& object, json::Arena& arena) {
  Value spec = Value::object(arena);
  const ScaleFields fields = type.behaviour->scale();
  const std::int64_t wanted = count_at(object, fields.replicas);
  if (wanted != 0) spec.append(arena, "replicas", Value::integer(wanted));
  Value status = Value::object(arena);
  status.append(arena, "replicas", Value::integer(count_at(object, fields.status_replicas)));
  const std::string selector = type.behaviour->scale_selector(object);
  if (!selector.empty()) {
    status.append(arena, "selector", Value::string(arena.copy(selector)));
  }
  Value scale = Value::object(arena);
  scale.append(arena, "kind", Value::string("Scale"));
  scale.append(arena, "apiVersion", Value::string("autoscaling/v1"));
  scale.append(arena, "metadata", metadata_of_scale(object, arena));
  scale.append(arena, "spec", spec);
  scale.append(arena, "status", status);
  return scale;
}

Result<Value> scale_with_managed_fields(const Scaling& scaling, const Value& object) {
  TAB_TRY(const patch::ManagedFields entries,
          decode_entries(object, "", &scaling.registry.managed_fields_cache()));
  Value scale = scale_of(*scaling.ref.type, object, scaling.context.arena);
  set_entries(scale, patch::scale_entries(entries, ReplicasPath(scaling).replicas),
              scaling.context.arena);
  return scale;
}

Result<Value> apply_scale(const Scaling& scaling, const Value& object, Value scale) {
  TAB_TRY(const Value before, scale_with_managed_fields(scaling, object));
  track_scale_fields(scaling, before, scale);
  const ObjectRef& ref = scaling.ref;
  const ScaleFields fields = ref.type->behaviour->scale();
  TAB_CHECK(
      scaling.registry.mutate({scaling.registry, scaling.context, Operation::kUpdate, *ref.type,
                               Subresource::kNone, ref.ns, ref.name, scale, &before}));
  const std::int64_t replicas = number_at(scale, {"spec", "replicas"});
  if (replicas < 0 && fields.non_negative) {
    return field::invalid_status(
        {"autoscaling", "Scale"}, object.find("metadata")->string_at("name"),
        {field::invalid(field::Path("spec").child("replicas"), std::to_string(replicas),
                        "must be greater than or equal to 0")});
  }
  json::Arena& arena = scaling.context.arena;
  Value scaled = object.clone(arena);
  ObjectMeta(scaled, arena).take("resourceVersion", metadata_of(scale));
  set_at(scaled, fields.replicas, Value::integer(replicas), arena);
  take_entries(scaling, object, scale, scaled);
  return scaled;
}

}  // namespace tabernetes::registry

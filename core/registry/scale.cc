#include "registry/scale.h"

#include <string>

#include "base/field_error.h"
#include "patch/scale_fields.h"
#include "registry/kinds/cell_text.h"
#include "registry/kinds/row.h"
#include "registry/managed_fields.h"
#include "registry/object_meta.h"
#include "registry/object_versions.h"

namespace tabernetes::registry {
namespace {

using json::Value;

// The selector as text; replication controllers have plain labels for one.
std::string selector_of(const ResourceType& type, const Value& object) {
  const Value* spec = object.find("spec");
  const Value* selector = spec == nullptr ? nullptr : spec->find("selector");
  if (selector == nullptr) return {};
  if (type.resource->group.empty()) return labels_text(selector);
  std::string text;
  format_label_selector(selector, text);
  return text;
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

// Where an object of the type has its replicas.
struct OwnedReplicas {
  explicit OwnedReplicas(const Scaling& scaling)
      : versions(scaling.type, scaling.resources),
        replicas{versions,
                 scaling.type.api_version,
                 {patch::PathElement::field("spec"), patch::PathElement::field("replicas")}} {}

  ObjectVersions versions;
  patch::Replicas replicas;
};

// Books who wants so many replicas.
void track_scale(const Scaling& scaling, const Value& object, Value& scale, Value& scaled) {
  json::Arena& arena = scaling.context.arena;
  const Value before = owned_scale(scaling, object);
  patch::Writer writer = writer_of(scaling.context, scaling.type);
  writer.api_version = patch::kScaleVersion;
  if (!scaling.context.applies) {
    track_fields(scaling.context, ObjectVersions(scaling.schema), writer, scale, &before);
  }
  set_entries(scaled,
              patch::with_scale_entries(entries_of(object), entries_of(scale),
                                        OwnedReplicas(scaling).replicas),
              arena);
}

}  // namespace

Value scale_of(const ResourceType& type, const Value& object, json::Arena& arena) {
  Value spec = Value::object(arena);
  const std::int64_t wanted = number_at(object, {"spec", "replicas"});
  if (wanted != 0) spec.append(arena, "replicas", Value::integer(wanted));
  Value status = Value::object(arena);
  status.append(arena, "replicas", Value::integer(number_at(object, {"status", "replicas"})));
  const std::string selector = selector_of(type, object);
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

Value owned_scale(const Scaling& scaling, const Value& object) {
  Value scale = scale_of(scaling.type, object, scaling.context.arena);
  set_entries(scale, patch::scale_entries(entries_of(object), OwnedReplicas(scaling).replicas),
              scaling.context.arena);
  return scale;
}

Result<Value> apply_scale(const Scaling& scaling, const Value& object, Value scale) {
  const std::int64_t replicas = number_at(scale, {"spec", "replicas"});
  if (replicas < 0) {
    return make_unexpected(field::invalid_status(
        {"autoscaling", "Scale"}, object.find("metadata")->string_at("name"),
        {field::invalid(field::Path("spec").child("replicas"), std::to_string(replicas),
                        "must be greater than or equal to 0")}));
  }
  json::Arena& arena = scaling.context.arena;
  Value scaled = object.clone(arena);
  ObjectMeta(scaled, arena).take("resourceVersion", metadata_of(scale));
  if (Value* spec = scaled.find("spec")) spec->set(arena, "replicas", Value::integer(replicas));
  track_scale(scaling, object, scale, scaled);
  return scaled;
}

}  // namespace tabernetes::registry

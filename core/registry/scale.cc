#include "registry/scale.h"

#include <string>

#include "base/field_error.h"
#include "base/go_text.h"
#include "base/parts.h"
#include "json/access.h"
#include "patch/scale_fields.h"
#include "registry/crd/custom_kind.h"
#include "registry/crd/scale_path.h"
#include "registry/managed_fields.h"
#include "registry/object_meta.h"
#include "registry/object_versions.h"
#include "registry/selector_object.h"

namespace tabernetes::registry {
namespace {

using json::Value;

// Where objects of a type have what their scale shows.
crd::ScalePaths paths_of(const ResourceType& type) {
  if (type.custom == nullptr) return {".spec.replicas", ".status.replicas", {}};
  return type.custom->scale;
}

std::int64_t count_at(const Value& object, std::string_view path) {
  const Value* value = crd::value_at(object, path);
  return value != nullptr && value->is_int() ? value->as_int() : 0;
}

// The selector as text; replication controllers have plain labels for one.
std::string selector_of(const ResourceType& type, const Value& object) {
  if (type.custom != nullptr) {
    const Value* text = crd::value_at(object, paths_of(type).selector);
    return text != nullptr && text->is_string() ? std::string(text->as_string()) : std::string();
  }
  const Value* spec = object.find("spec");
  const Value* selector = spec == nullptr ? nullptr : spec->find("selector");
  if (selector == nullptr) return {};
  if (type.resource->group.empty()) return format_labels(selector);
  return format_label_selector(selector).value_or(std::string());
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
      : versions(scaling.type, scaling.resources, scaling.context.pending),
        replicas{versions, scaling.type.api_version, {}} {
    for (const std::string_view name : split(crd::names_on(paths_of(scaling.type).replicas), '.')) {
      replicas.path.push_back(patch::PathElement::field(name));
    }
  }

  ObjectVersions versions;
  patch::Replicas replicas;
};

// Books who wants so many replicas.
void track_scale(const Scaling& scaling, const Value& object, const Value& before, Value& scale,
                 Value& scaled) {
  json::Arena& arena = scaling.context.arena;
  patch::Writer writer = writer_of(scaling.context, scaling.type);
  writer.api_version = patch::kScaleVersion;
  if (!scaling.context.applies) {
    track_fields(scaling.context, ObjectVersions(scaling.schema), writer, scale, &before);
  }
  set_entries(scaled,
              patch::with_scale_entries(entries_of(object, &scaling.cache), entries_of(scale),
                                        OwnedReplicas(scaling).replicas),
              arena, &scaling.cache);
}

}  // namespace

Result<void> check_scale(const ResourceType& type, const Value& object) {
  if (type.custom == nullptr) return {};
  const crd::ScalePaths& paths = type.custom->scale;
  for (const std::string_view path : {paths.replicas, paths.status_replicas}) {
    const Value* value = crd::value_at(object, path);
    if (value == nullptr || value->is_int()) continue;
    return errors::plain_error(crd::replicas_problem(path, *value));
  }
  if (crd::value_at(object, paths.replicas) != nullptr) return {};
  return errors::internal_error("the spec replicas field " + go_quote(paths.replicas) +
                                " does not exist");
}

Value scale_of(const ResourceType& type, const Value& object, json::Arena& arena) {
  Value spec = Value::object(arena);
  const crd::ScalePaths paths = paths_of(type);
  const std::int64_t wanted = count_at(object, paths.replicas);
  if (wanted != 0) spec.append(arena, "replicas", Value::integer(wanted));
  Value status = Value::object(arena);
  status.append(arena, "replicas", Value::integer(count_at(object, paths.status_replicas)));
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

Result<Value> owned_scale(const Scaling& scaling, const Value& object) {
  TAB_TRY(const patch::ManagedFields entries, decode_entries(object, "", &scaling.cache));
  Value scale = scale_of(scaling.type, object, scaling.context.arena);
  set_entries(scale, patch::scale_entries(entries, OwnedReplicas(scaling).replicas),
              scaling.context.arena);
  return scale;
}

Result<Value> apply_scale(const Scaling& scaling, const Value& object, Value scale) {
  TAB_TRY(const Value before, owned_scale(scaling, object));
  const std::int64_t replicas = number_at(scale, {"spec", "replicas"});
  if (replicas < 0 && scaling.type.custom == nullptr) {
    return field::invalid_status(
        {"autoscaling", "Scale"}, object.find("metadata")->string_at("name"),
        {field::invalid(field::Path("spec").child("replicas"), std::to_string(replicas),
                        "must be greater than or equal to 0")});
  }
  json::Arena& arena = scaling.context.arena;
  Value scaled = object.clone(arena);
  ObjectMeta(scaled, arena).take("resourceVersion", metadata_of(scale));
  crd::set_at(scaled, paths_of(scaling.type).replicas, Value::integer(replicas), arena);
  track_scale(scaling, object, before, scale, scaled);
  return scaled;
}

}  // namespace tabernetes::registry

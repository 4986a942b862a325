#include "registry/scale.h"

#include <string>

#include "base/field_error.h"
#include "registry/kinds/cell_text.h"
#include "registry/kinds/row.h"
#include "registry/object_meta.h"

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

Result<Value> apply_scale(const Value& object, const Value& scale, json::Arena& arena) {
  const std::int64_t replicas = number_at(scale, {"spec", "replicas"});
  if (replicas < 0) {
    return make_unexpected(field::invalid_status(
        {"autoscaling", "Scale"}, object.find("metadata")->string_at("name"),
        {field::invalid(field::Path("spec").child("replicas"), std::to_string(replicas),
                        "must be greater than or equal to 0")}));
  }
  Value scaled = object.clone(arena);
  ObjectMeta meta(scaled, arena);
  meta.take("resourceVersion", metadata_of(scale));
  if (Value* spec = scaled.find("spec")) spec->set(arena, "replicas", Value::integer(replicas));
  return scaled;
}

}  // namespace tabernetes::registry

#include "kinds/table/empty_object.h"

#include <algorithm>

#include "schema/decode.h"

namespace tabernetes::registry::kinds {
namespace {

using json::Value;

void set_generation_annotation(Value& metadata, json::Arena& arena) {
  if (metadata.find("annotations") == nullptr) {
    metadata.append(arena, "annotations", Value::object(arena));
  }
  metadata.find("annotations")
      ->append(arena, "deprecated.daemonset.template.generation", Value::string("0"));
}

}  // namespace

void add_conversion_zeros(const schema::Resource& resource, Value& object, json::Arena& arena) {
  if (resource.group != "apps") return;
  constexpr std::string_view kWithReplicas[] = {"Deployment", "ReplicaSet", "StatefulSet"};
  if (resource.kind == "DaemonSet") {
    set_generation_annotation(*object.find("metadata"), arena);
  } else if (std::find(std::begin(kWithReplicas), std::end(kWithReplicas), resource.kind) !=
             std::end(kWithReplicas)) {
    object.find("spec")->append(arena, "replicas", Value::integer(0));
  } else {
    return;
  }
  object = schema::decode_typed(*resource.type, object, arena).value;  // in the type's order
}

}  // namespace tabernetes::registry::kinds

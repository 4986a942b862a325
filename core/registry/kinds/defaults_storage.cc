#include "registry/kinds/defaults_storage.h"

#include "registry/kinds/fill.h"

namespace tabernetes::registry::kinds {

using json::Value;

void set_storage_class_defaults(const HookContext& context, Value& object) {
  fill(object, "reclaimPolicy", Value::string("Delete"), context.arena);
  fill(object, "volumeBindingMode", Value::string("Immediate"), context.arena);
}

void set_csi_driver_defaults(const HookContext& context, Value& object) {
  json::Arena& arena = context.arena;
  Value& spec = spec_of(object, arena);
  fill_bool(spec, "attachRequired", true, arena);
  fill_bool(spec, "podInfoOnMount", false, arena);
  fill_bool(spec, "storageCapacity", false, arena);
  fill(spec, "fsGroupPolicy", Value::string("ReadWriteOnceWithFSType"), arena);
  fill_bool(spec, "requiresRepublish", false, arena);
  fill_bool(spec, "seLinuxMount", false, arena);
  if (!items_in(spec, "volumeLifecycleModes").empty()) return;
  Value modes = Value::array(arena);
  modes.push_back(arena, Value::string("Persistent"));
  spec.set(arena, "volumeLifecycleModes", modes);
}

}  // namespace tabernetes::registry::kinds

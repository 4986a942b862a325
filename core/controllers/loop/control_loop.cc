#include "controllers/loop/control_loop.h"

#include "registry/kind/kind_behaviour.h"

namespace tabernetes::controllers {

registry::ObjectRef ReconcileContext::in_storage_version(registry::ObjectRef ref) const {
  const store::RecordPtr record = registry.store().get(ref.type->key(ref.ns, ref.name));
  if (record) ref.type = &ref.type->behaviour->version_of(*record);
  return ref;
}

json::Value ReconcileContext::read(const registry::ObjectRef& ref) const {
  const store::RecordPtr record = registry.store().get(ref.type->key(ref.ns, ref.name));
  // Cloned, since the strings of the tree may be views of the record.
  return record ? registry::read_object(*ref.type, *record, arena).clone(arena) : json::Value();
}

}  // namespace tabernetes::controllers

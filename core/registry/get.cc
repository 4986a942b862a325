// Reading one object, and what every write reads first.

#include "registry/registry.h"

namespace tabernetes::registry {

Result<store::RecordPtr> Registry::get(const ObjectRef& ref) const {
  store::RecordPtr record = store_.get(ref.type->key(ref.ns, ref.name));
  if (!record) {
    return make_unexpected(errors::not_found(ref.type->group_resource(), ref.name));
  }
  return record;
}

Result<Registry::Stored> Registry::load(const ObjectRef& ref, json::Arena& arena) const {
  TAB_TRY(store::RecordPtr record, get(ref));
  json::Value object = read_object(*ref.type, *record, arena);
  return Stored{std::move(record), object};
}

}  // namespace tabernetes::registry

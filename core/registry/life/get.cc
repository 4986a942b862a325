// Reads one object, also as the first step of every write.

#include "registry/life/registry.h"

namespace tabernetes::registry {

Result<store::RecordPtr> get_object(const store::Tree& state, const ObjectRef& ref) {
  store::RecordPtr record = state.find(ref.type->key(ref.ns, ref.name));
  if (!record) {
    return errors::not_found(ref.type->group_resource(), ref.name);
  }
  return record;
}

Result<json::Value> read_stored(const store::Tree& state, const ObjectRef& ref,
                                json::Arena& arena) {
  TAB_TRY(const store::RecordPtr record, get_object(state, ref));
  return read_object(*ref.type, *record, arena).clone(arena);
}

Result<store::RecordPtr> Registry::get(const ObjectRef& ref) const {
  return get_object(store_.tree(), ref);
}

Result<Registry::Stored> Registry::load(const WriteContext& context, const ObjectRef& ref) const {
  TAB_TRY(store::RecordPtr record, get(ref));
  json::Value object = read_object(*ref.type, *record, context.arena, context.pending);
  TAB_CHECK(may_persist(context.pending));
  return Stored{std::move(record), object};
}

json::Value Registry::find_object(const Resource& resource, std::string_view ns,
                                  std::string_view name, json::Arena& arena) const {
  const ResourceType* type = resources_->find(resource.group, resource.version, resource.plural);
  if (type == nullptr) return {};
  const store::RecordPtr record = store_.get(type->key(ns, name));
  // Cloned, since the tree's strings may be views of the record.
  return record ? read_object(*type, *record, arena).clone(arena) : json::Value();
}

void Registry::each_object(const Resource& resource, json::Arena& arena,
                           const std::function<void(const json::Value&)>& visit) const {
  each_object_in(resource, {}, arena, visit);
}

bool Registry::any_record_contains(const Resource& resource, std::string_view text) const {
  const ResourceType* type = resources_->find(resource.group, resource.version, resource.plural);
  bool found = false;
  if (type == nullptr) return found;
  const std::string prefix = type->collection_prefix({});
  store_.tree().scan(
      prefix, store::prefix_end(prefix), [&](std::string_view, const store::RecordPtr& record) {
        found = record->bytes.find(text, offsets_of(*record).metadata_end) != std::string::npos;
        return !found;
      });
  return found;
}

void Registry::each_object_in(const Resource& resource, std::string_view ns, json::Arena& arena,
                              const std::function<void(const json::Value&)>& visit) const {
  const ResourceType* type = resources_->find(resource.group, resource.version, resource.plural);
  if (type == nullptr) return;
  const std::string prefix = type->collection_prefix(ns);
  store_.tree().scan(prefix, store::prefix_end(prefix),
                     [&](std::string_view, const store::RecordPtr& record) {
                       visit(read_object(*type, *record, arena));
                       return true;
                     });
}

}  // namespace tabernetes::registry

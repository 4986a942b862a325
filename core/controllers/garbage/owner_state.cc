#include "controllers/garbage/owner_state.h"

namespace tabernetes::controllers {

using registry::ObjectRef;

ObjectRef place_of(const registry::Registry& registry, const OwnerReference& owner,
                   std::string_view ns) {
  const std::size_t slash = owner.api_version.find('/');
  const bool core = slash == std::string_view::npos;
  const std::string_view group = core ? std::string_view() : owner.api_version.substr(0, slash);
  const std::string_view version = core ? owner.api_version : owner.api_version.substr(slash + 1);
  const registry::ResourceType* type = registry.resources().find_kind(group, version, owner.kind);
  if (type == nullptr || (type->resource->namespaced && ns.empty())) return {};
  return {type, type->resource->namespaced ? ns : std::string_view(), owner.name};
}

OwnerState state_of(const registry::Registry& registry, const OwnerReference& owner,
                    std::string_view ns) {
  const ObjectRef place = place_of(registry, owner, ns);
  if (place.type == nullptr) return OwnerState::kUnresolved;
  const store::RecordPtr record = registry.store().get(place.type->key(place.ns, place.name));
  if (!record || uid_of(*record) != owner.uid) return OwnerState::kDangling;
  if (!registry::offsets_of(*record).terminating) return OwnerState::kSolid;
  json::Arena arena;
  return read_owned_metadata(*record, arena).waits_for_dependents() ? OwnerState::kWaiting
                                                                    : OwnerState::kSolid;
}

bool is_in_other_namespace(const registry::Registry& registry, const OwnerReference& owner,
                           const ObjectRef& place) {
  bool found = false;
  const registry::ResourceType& namespaces = *registry.resources().find("", "v1", "namespaces");
  registry.store().tree().scan(
      namespaces.key_prefix, store::prefix_end(namespaces.key_prefix),
      [&](std::string_view key, const store::RecordPtr&) {
        const std::string_view ns = registry::split_key(namespaces, key).name;
        const store::RecordPtr record = registry.store().get(place.type->key(ns, place.name));
        found = record && uid_of(*record) == owner.uid;
        return !found;
      });
  return found;
}

}  // namespace tabernetes::controllers

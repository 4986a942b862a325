#include "controllers/shared/applied.h"

#include "registry/ownership/managed_fields.h"
#include "registry/ownership/object_versions.h"

namespace tabernetes::controllers {
namespace {

using json::Value;

// What is applied: the member, and what names the object.
Value configuration(const registry::ObjectRef& ref, const json::Member& member,
                    json::Arena& arena) {
  Value metadata = Value::object(arena);
  metadata.append(arena, "name", Value::string(ref.name));
  if (!ref.ns.empty()) metadata.append(arena, "namespace", Value::string(ref.ns));
  Value config = Value::object(arena);
  config.append(arena, "apiVersion", Value::string(ref.type->api_version));
  config.append(arena, "kind", Value::string(ref.type->resource->kind));
  config.append(arena, "metadata", metadata);
  config.append(arena, member.key, member.value);
  return config;
}

}  // namespace

void apply(const ReconcileContext& cluster, const registry::ObjectRef& ref,
           registry::Subresource subresource, std::string_view manager,
           const json::Member& member) {
  registry::WriteContext context = cluster.context(
      subresource == registry::Subresource::kStatus ? "status" : std::string_view());
  context.manager = manager;
  context.tracks_fields = false;
  context.applies = true;
  const auto applied = [&](const Value* live) -> Result<Value> {
    if (live == nullptr) {
      return errors::not_found(ref.type->group_resource(), ref.name);
    }
    json::Arena& arena = cluster.arena;
    TAB_TRY(patch::Applied result,
            patch::apply_configuration(
                registry::ObjectVersions(*ref.type, cluster.registry.resources(), nullptr),
                registry::without_managed_fields(*live, arena), configuration(ref, member, arena),
                registry::managed_fields_of(*live, &cluster.registry.managed_fields_cache()),
                registry::writer_of(context, *ref.type), true, arena));
    Value object = result.object;
    registry::set_entries(object, std::move(result.managed), arena,
                          &cluster.registry.managed_fields_cache());
    return object;
  };
  (void)cluster.registry.update(context, ref, subresource, applied);
}

}  // namespace tabernetes::controllers

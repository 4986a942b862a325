#include "controllers/applied.h"

#include "registry/managed_fields.h"
#include "registry/object_versions.h"

namespace tabernetes::controllers {

void apply(const Turn& turn, const registry::ObjectRef& ref, registry::Part part,
           std::string_view manager, const json::Value& configuration) {
  registry::WriteContext context =
      turn.context(part == registry::Part::kStatus ? "status" : std::string_view());
  context.manager = manager;
  context.tracks_fields = false;
  context.applies = true;
  const auto applied = [&](const json::Value* live) -> Result<json::Value> {
    if (live == nullptr) {
      return errors::not_found(ref.type->group_resource(), ref.name);
    }
    json::Arena& arena = turn.arena;
    TAB_TRY(patch::Applied result,
            patch::apply_configuration(
                registry::ObjectVersions(*ref.type, turn.registry.resources(), nullptr),
                registry::without_entries(*live, arena), configuration,
                registry::entries_of(*live, &turn.registry.managed_fields_cache()),
                registry::writer_of(context, *ref.type), true, arena));
    json::Value object = result.object;
    registry::set_entries(object, std::move(result.managed), arena,
                          &turn.registry.managed_fields_cache());
    return object;
  };
  (void)turn.registry.update(context, ref, part, applied);
}

}  // namespace tabernetes::controllers

#include "server/verbs/core_object.h"

#include "registry/object_record.h"

namespace tabernetes::server {

Result<json::Value> read_core_object(Call& call, std::string_view plural, std::string_view ns,
                                     std::string_view name) {
  const registry::ResourceType* type = call.resources.find("", "v1", plural);
  TAB_TRY(const store::RecordPtr record,
          registry::get_object(call.objects.tree(), {type, ns, name}));
  return registry::read_object(*type, *record, call.arena).clone(call.arena);
}

}  // namespace tabernetes::server

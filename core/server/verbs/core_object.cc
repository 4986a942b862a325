#include "server/verbs/core_object.h"

#include "registry/objects/object_record.h"

namespace tabernetes::server {

Result<json::Value> read_core_object(RequestContext& call, std::string_view plural,
                                     std::string_view ns, std::string_view name) {
  const registry::ResourceType* type = call.resources.find("", "v1", plural);
  return registry::read_stored(call.objects.tree(), {type, ns, name}, call.arena);
}

}  // namespace tabernetes::server

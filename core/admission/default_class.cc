#include "admission/default_class.h"

#include "registry/life/registry.h"

namespace tabernetes::admission {

using json::Value;

std::string_view default_class(const AdmissionRequest& request,
                               const registry::ObjectReader::Resource& classes,
                               std::initializer_list<std::string_view> annotations) {
  json::Arena& arena = request.context.arena;
  std::string_view name;
  std::string_view newest;
  request.registry.each_object(classes, arena, [&](const Value& candidate) {
    bool marked = false;
    for (const std::string_view annotation : annotations) {
      const Value* mark = candidate.at({"metadata", "annotations", annotation});
      marked = marked || (mark != nullptr && mark->is_string() && mark->as_string() == "true");
    }
    if (!marked) return;
    const Value* metadata = candidate.find("metadata");
    const std::string_view created = metadata->string_at("creationTimestamp");
    if (!name.empty() && created <= newest) return;
    name = arena.copy(metadata->string_at("name"));
    newest = arena.copy(created);
  });
  return name;
}

}  // namespace tabernetes::admission

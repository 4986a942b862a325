#include "kinds/default_class.h"

namespace tabernetes::registry::kinds {

using json::Value;

std::string_view default_class(const HookContext& context, const ObjectReader::Resource& classes,
                               std::initializer_list<std::string_view> annotations) {
  std::string_view name;
  std::string_view newest;
  context.objects.each_object(classes, context.arena, [&](const Value& candidate) {
    bool marked = false;
    for (const std::string_view annotation : annotations) {
      const Value* mark = candidate.at({"metadata", "annotations", annotation});
      marked = marked || (mark != nullptr && mark->is_string() && mark->as_string() == "true");
    }
    if (!marked) return;
    const Value* metadata = candidate.find("metadata");
    const std::string_view created = metadata->string_at("creationTimestamp");
    if (!name.empty() && created <= newest) return;
    name = context.arena.copy(metadata->string_at("name"));
    newest = context.arena.copy(created);
  });
  return name;
}

}  // namespace tabernetes::registry::kinds

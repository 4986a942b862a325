#include "registry/meta/member_path.h"

#include "base/text/parts.h"
#include "json/fill.h"

namespace tabernetes::registry {

using json::Value;

const Value* value_at(const Value& object, std::string_view path) {
  const Value* value = path.empty() ? nullptr : &object;
  for (std::string_view rest = path_without_dot(path); value != nullptr && !rest.empty();) {
    value = value->find(take_part(rest, '.'));
  }
  return value;
}

void set_at(Value& object, std::string_view path, Value value, json::Arena& arena) {
  Value* parent = &object;
  std::string_view rest = path_without_dot(path);
  std::string_view name = take_part(rest, '.');
  for (; !rest.empty(); name = take_part(rest, '.')) {
    parent = &object_or_new(*parent, name, arena);
  }
  parent->set(arena, name, value);
}

}  // namespace tabernetes::registry

#include "registry/crd/scale_path.h"

#include "base/parts.h"
#include "json/fill.h"
#include "json/go_format.h"
#include "json/type_name.h"

namespace tabernetes::registry::crd {

using json::Value;

const Value* value_at(const Value& object, std::string_view path) {
  const Value* value = path.empty() ? nullptr : &object;
  for (std::string_view rest = names_on(path); value != nullptr && !rest.empty();) {
    value = value->find(take_part(rest, '.'));
  }
  return value;
}

void set_at(Value& object, std::string_view path, Value value, json::Arena& arena) {
  Value* parent = &object;
  std::string_view rest = names_on(path);
  std::string_view name = take_part(rest, '.');
  for (; !rest.empty(); name = take_part(rest, '.')) {
    parent = &filled_object(*parent, name, arena);
  }
  parent->set(arena, name, value);
}

std::string accessor_problem(std::string_view path, const Value& value, std::string_view expected) {
  return std::string(path) + " accessor error: " + json::go_format(value) + " is of the type " +
         std::string(json::go_dynamic_type(value)) + ", expected " + std::string(expected);
}

}  // namespace tabernetes::registry::crd

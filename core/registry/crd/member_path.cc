#include "registry/crd/member_path.h"

#include "json/go_format.h"
#include "json/type_name.h"

namespace tabernetes::registry::crd {

using json::Value;

MemberPath split_path(std::string_view path) {
  MemberPath names;
  while (path.starts_with('.')) {
    path.remove_prefix(1);
    names.push_back(path.substr(0, path.find('.')));
    path.remove_prefix(names.back().size());
  }
  return names;
}

const Value* value_at(const Value& object, const MemberPath& path) {
  const Value* value = path.empty() ? nullptr : &object;
  for (const std::string_view name : path) {
    if (value != nullptr) value = value->find(name);
  }
  return value;
}

void set_at(Value& object, const MemberPath& path, Value value, json::Arena& arena) {
  Value* parent = &object;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    Value* next = parent->find(path[i]);
    if (next == nullptr || !next->is_object()) {
      parent->set(arena, path[i], Value::object(arena));
      next = parent->find(path[i]);
    }
    parent = next;
  }
  parent->set(arena, path.back(), value);
}

std::string accessor_problem(std::string_view path, const Value& value, std::string_view expected) {
  return std::string(path) + " accessor error: " + json::go_format(value) + " is of the type " +
         std::string(json::go_dynamic_type(value)) + ", expected " + std::string(expected);
}

}  // namespace tabernetes::registry::crd

// Tested by tests/core/codec/json_unknown_test.cc.
#include "codec/json_unknown.h"

#include <algorithm>
#include <utility>

#include "codec/json_reader.h"
#include "codec/json_writer.h"

namespace tabernetes::codec {
namespace {

using json::Member;
using json::Value;
using schema::Field;
using schema::FieldType;
using schema::Type;

const Type* object_type(const schema::TypeRef& type) {
  return type.type == FieldType::kRef && type.ref->special == FieldType::kRef ? type.ref : nullptr;
}

// Calls `visit(element, type, object)` for the object in a field, or those in its list or map;
// `element` is empty for an object in the field itself. Objects of a list without a name, or with
// that of another one, are left out.
template <typename ValueT, typename Visit>
void each_object_below(const Field& field, ValueT& value, const Visit& visit) {
  if (const Type* type = object_type(field.type)) {
    if (value.is_object()) visit(std::string_view(), *type, value);
    return;
  }
  const bool list = field.type.type == FieldType::kArray && value.is_array();
  const bool map = field.type.type == FieldType::kMap && value.is_object();
  const Type* type = list || map ? object_type(*field.type.element) : nullptr;
  if (type == nullptr) return;
  if (map) {
    for (auto& member : value.members()) visit(member.key, *type, member.value);
    return;
  }
  const auto has_name = [](std::string_view name) {
    return [name](const Value& item) { return item.string_at("name") == name; };
  };
  for (auto& item : value.items()) {
    const std::string_view name = item.string_at("name");
    if (name.empty()) continue;
    const auto& items = std::as_const(value).items();
    if (std::count_if(items.begin(), items.end(), has_name(name)) == 1) visit(name, *type, item);
  }
}

class Finder {
 public:
  explicit Finder(std::span<const std::string_view> also_known) : also_known_(also_known) {}

  UnknownFields find(const Type& type, const Value& object, int depth = 0) const {
    UnknownFields found;
    if (depth > kDeepestUnknown || !object.is_object()) return found;
    json::Arena arena;
    Value unknown = Value::object(arena);
    for (const Member& member : object.members()) {
      const Field* field = type.find(member.key);
      if (field == nullptr) {
        if (!is_known(member.key)) unknown.append(arena, member.key, member.value);
        continue;
      }
      each_object_below(
          *field, member.value,
          [&](std::string_view element, const Type& below, const Value& value) {
            UnknownFields in = find(below, value, depth + 1);
            if (in.empty()) return;
            found.below.push_back({index_of(type, *field), std::string(element), std::move(in)});
          });
    }
    if (unknown.size() != 0) write_json(unknown, found.fields);
    return found;
  }

 private:
  bool is_known(std::string_view name) const {
    return std::find(also_known_.begin(), also_known_.end(), name) != also_known_.end();
  }

  static std::uint32_t index_of(const Type& type, const Field& field) {
    const auto& fields = type.json_fields();
    return static_cast<std::uint32_t>(std::find(fields.begin(), fields.end(), &field) -
                                      fields.begin());
  }

  std::span<const std::string_view> also_known_;
};

}  // namespace

UnknownFields find_unknown_members(const Type& type, const Value& object,
                                   std::span<const std::string_view> also_known) {
  return Finder(also_known).find(type, object);
}

void add_unknown_members(const Type& type, const UnknownFields& unknown, Value& object,
                         json::Arena& arena) {
  for (const UnknownBelow& below : unknown.below) {
    const Field& field = *type.json_fields()[below.field];
    Value* value = object.find(field.name);
    if (value == nullptr) continue;
    each_object_below(field, *value,
                      [&](std::string_view element, const Type& type_below, Value& found) {
                        if (element != below.element) return;
                        add_unknown_members(type_below, below.unknown, found, arena);
                      });
  }
  if (unknown.fields.empty()) return;
  const JsonRead read = read_json(unknown.fields, arena);
  for (const Member& member : read.value.members()) {
    if (object.find(member.key) == nullptr) object.append(arena, member.key, member.value);
  }
}

}  // namespace tabernetes::codec

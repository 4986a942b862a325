#include "json/access.h"

#include <charconv>

#include "base/text/parts.h"

namespace tabernetes::json {

std::string_view text_of(const Value& value) {
  return value.is_string() ? value.as_string() : std::string_view();
}

std::string_view text_of(const Value* value) {
  return value == nullptr ? std::string_view() : text_of(*value);
}

bool has(const Value& object, Path path) {
  const Value* value = object.at(path);
  return value != nullptr && !value->is_null();
}

std::string_view text_at(const Value& object, Path path) { return text_of(object.at(path)); }

std::string_view text_if_set(const Value& object, Path path, std::string_view unset) {
  return has(object, path) ? text_at(object, path) : unset;
}

std::int64_t number_at(const Value& object, Path path) {
  const Value* value = object.at(path);
  return value != nullptr && value->is_int() ? value->as_int() : 0;
}

bool bool_at(const Value& object, Path path) {
  const Value* value = object.at(path);
  return value != nullptr && value->is_bool() && value->as_bool();
}

Range<Value> items_at(const Value& object, Path path) {
  const Value* value = object.at(path);
  return value != nullptr && value->is_array() ? value->items() : Range<Value>(nullptr, 0);
}

Range<Member> members_at(const Value& object, Path path) {
  const Value* value = object.at(path);
  return value != nullptr && value->is_object() ? value->members() : Range<Member>(nullptr, 0);
}

const Value* follow(const Value* value, std::string_view path) {
  while (value != nullptr && !path.empty()) {
    const std::string_view name = take_part(path, '.');
    if (value->is_array()) {
      std::size_t i = value->size();
      std::from_chars(name.data(), name.data() + name.size(), i);
      value = i < value->size() ? &value->items()[i] : nullptr;
    } else {
      value = value->find(name);
    }
  }
  return value;
}

Value* object_in(const Value& object, std::string_view key) {
  Value* member = object.find(key);
  return member != nullptr && member->is_object() ? member : nullptr;
}

Range<Value> items_in(const Value& object, std::string_view key) {
  const Value* member = object.find(key);
  return member != nullptr && member->is_array() ? member->items() : Range<Value>(nullptr, 0);
}

std::string scalar_text(const Value* value) {
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(value->as_string());
  if (value->is_int()) return std::to_string(value->as_int());
  if (value->is_bool()) return value->as_bool() ? "true" : "false";
  if (value->is_double()) return std::string(value->double_text());
  return {};
}

}  // namespace tabernetes::json

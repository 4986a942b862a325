// Filling in what a client left out of a decoded tree. A member of type string that is there but
// empty counts as left out, unless the type has it as a pointer: then use fill().
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"

namespace tabernetes::registry::kinds {

// Sets `key` if it is missing or null.
inline void fill(json::Value& object, std::string_view key, json::Value value, json::Arena& arena) {
  json::Value* member = object.find(key);
  if (member == nullptr) {
    object.append(arena, key, value);
  } else if (member->is_null()) {
    *member = value;
  }
}
inline void fill_int(json::Value& object, std::string_view key, std::int64_t value,
                     json::Arena& arena) {
  fill(object, key, json::Value::integer(value), arena);
}
// For numbers that are no pointers: zero counts as left out.
inline void fill_number(json::Value& object, std::string_view key, std::int64_t value,
                        json::Arena& arena) {
  const json::Value* member = object.find(key);
  if (member == nullptr || !member->is_int() || member->as_int() == 0) {
    object.set(arena, key, json::Value::integer(value));
  }
}
inline void fill_bool(json::Value& object, std::string_view key, bool value, json::Arena& arena) {
  fill(object, key, json::Value::boolean(value), arena);
}
// For strings that are no pointers.
inline void fill_text(json::Value& object, std::string_view key, std::string_view text,
                      json::Arena& arena) {
  if (object.string_at(key).empty()) object.set(arena, key, json::Value::string(text));
}
inline void fill_object(json::Value& object, std::string_view key, json::Arena& arena) {
  fill(object, key, json::Value::object(arena), arena);
}

// The member, an empty object if it is missing.
inline json::Value& filled_object(json::Value& object, std::string_view key, json::Arena& arena) {
  json::Value* member = object.find(key);
  if (member == nullptr || !member->is_object()) {
    object.set(arena, key, json::Value::object(arena));
    member = object.find(key);
  }
  return *member;
}

// The member if it is an object; null otherwise.
inline json::Value* object_in(const json::Value& object, std::string_view key) {
  json::Value* member = object.find(key);
  return member != nullptr && member->is_object() ? member : nullptr;
}

// The items of the member; none if it is no array.
inline json::Range<json::Value> items_in(const json::Value& object, std::string_view key) {
  const json::Value* member = object.find(key);
  if (member == nullptr || !member->is_array()) return {nullptr, 0};
  return member->items();
}

// The spec of an object that is being filled in.
inline json::Value& spec_of(json::Value& object, json::Arena& arena) {
  return filled_object(object, "spec", arena);
}

}  // namespace tabernetes::registry::kinds

// Filling in what a client left out of a decoded tree. A member of type string that is there but
// empty counts as left out, unless the type has it as a pointer: then use fill().
#pragma once

#include <cstdint>
#include <string_view>

#include "json/value.h"

namespace tabernetes::json {

// Sets `key` if it is missing or null.
inline void fill(Value& object, std::string_view key, Value value, Arena& arena) {
  Value* member = object.find(key);
  if (member == nullptr) {
    object.append(arena, key, value);
  } else if (member->is_null()) {
    *member = value;
  }
}
inline void fill_int(Value& object, std::string_view key, std::int64_t value, Arena& arena) {
  fill(object, key, Value::integer(value), arena);
}
// For numbers that are no pointers: zero counts as left out.
inline void fill_number(Value& object, std::string_view key, std::int64_t value, Arena& arena) {
  const Value* member = object.find(key);
  if (member == nullptr || !member->is_int() || member->as_int() == 0) {
    object.set(arena, key, Value::integer(value));
  }
}
inline void fill_bool(Value& object, std::string_view key, bool value, Arena& arena) {
  fill(object, key, Value::boolean(value), arena);
}
// For strings that are no pointers.
inline void fill_text(Value& object, std::string_view key, std::string_view text, Arena& arena) {
  if (object.string_at(key).empty()) object.set(arena, key, Value::string(text));
}
inline void fill_object(Value& object, std::string_view key, Arena& arena) {
  fill(object, key, Value::object(arena), arena);
}

// Returns member `key`, which becomes an empty object if it is no object.
inline Value& object_or_new(Value& object, std::string_view key, Arena& arena) {
  Value* member = object.find(key);
  if (member == nullptr || !member->is_object()) {
    object.set(arena, key, Value::object(arena));
    member = object.find(key);
  }
  return *member;
}

// Makes member `key` of `to` that of `from`; removes it if `from` has none.
inline void take_member(Value& to, const Value& from, std::string_view key, Arena& arena) {
  if (const Value* value = from.find(key)) {
    to.set(arena, key, *value);
  } else {
    to.erase(key);
  }
}

}  // namespace tabernetes::json

#include "registry/kinds/row.h"

#include "registry/kinds/cell_text.h"

namespace tabernetes::registry {

using json::Member;
using json::Range;
using json::Value;

void Row::name(const Value& object) { text(text_at(object, {"metadata", "name"})); }

void Row::age(const Value& object) {
  text(age_of(text_at(object, {"metadata", "creationTimestamp"})));
}

std::string Row::age_of(std::string_view rfc3339) {
  const Age age = age_at(rfc3339, now_);
  validity_.narrow(age.validity.from, age.validity.until);
  return age.text;
}

void Row::completed(std::string_view reason, std::string_view message) {
  Value condition = Value::object(arena_);
  condition.append(arena_, "type", Value::string("Completed"));
  condition.append(arena_, "status", Value::string("True"));
  condition.append(arena_, "reason", Value::string(reason));
  condition.append(arena_, "message", Value::string(message));
  conditions_ = Value::array(arena_);
  conditions_.push_back(arena_, condition);
}

std::string_view text_at(const Value& object, Path path) {
  const Value* value = object.at(path);
  return value != nullptr && value->is_string() ? value->as_string() : std::string_view();
}

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

bool has(const Value& object, Path path) {
  const Value* value = object.at(path);
  return value != nullptr && !value->is_null();
}

const Value* find_condition(const Value& object, std::string_view type) {
  for (const Value& condition : items_at(object, {"status", "conditions"})) {
    if (condition.string_at("type") == type) return &condition;
  }
  return nullptr;
}

const Value* last_condition(const Value& object, std::string_view type) {
  const Value* last = nullptr;
  for (const Value& condition : items_at(object, {"status", "conditions"})) {
    if (condition.string_at("type") == type) last = &condition;
  }
  return last;
}

bool condition_is_true(const Value& object, std::string_view type) {
  const Value* condition = find_condition(object, type);
  return condition != nullptr && condition->string_at("status") == "True";
}

}  // namespace tabernetes::registry

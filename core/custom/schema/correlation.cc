#include "custom/schema/correlation.h"

#include "custom/schema/printed_value.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::Structural;

bool is_keyed(const Structural& schema) {
  return schema.type == schema::JsonType::kArray && schema.list_type == schema::ListType::kMap &&
         !schema.list_map_keys.empty();
}

// Returns the keys as one text; empty if one is missing or not a scalar.
std::string key_of(const Value& item, const Structural& schema) {
  std::string key;
  for (const std::string_view name : schema.list_map_keys) {
    const Value* value = item.find(name);
    if (value == nullptr || value->is_null() || value->is_array() || value->is_object()) return {};
    key.append(format_value(*value)).push_back('\0');
  }
  return key;
}

bool members_equal(const Value& value, const Value& old, const Structural& schema) {
  if (value.size() != old.size()) return false;
  for (const json::Member& member : value.members()) {
    const Structural* below = schema.member(member.key);
    const Value* before = old.find(member.key);
    if (below == nullptr || before == nullptr || !correlates_equal(member.value, *before, *below)) {
      return false;
    }
  }
  return true;
}

bool items_equal(const Value& value, const Value& old, const Structural& schema) {
  if (value.size() != old.size()) return false;
  if (schema.list_type != schema::ListType::kMap || schema.items == nullptr) {
    return equal_values(value, old);
  }
  const KeyedItems before(&old, schema);
  for (const Value& item : value.items()) {
    const Value* same = before.find(item);
    if (same == nullptr || !correlates_equal(item, *same, *schema.items)) return false;
  }
  return true;
}

}  // namespace

KeyedItems::KeyedItems(const Value* old, const Structural& schema) : schema_(&schema) {
  if (old == nullptr || !old->is_array() || !is_keyed(schema)) return;
  for (const Value& item : old->items()) {
    std::string key = key_of(item, schema);
    if (!key.empty()) items_.emplace(std::move(key), &item);
  }
}

const Value* KeyedItems::find(const Value& item) const {
  if (items_.empty()) return nullptr;
  const auto found = items_.find(key_of(item, *schema_));
  return found == items_.end() ? nullptr : found->second;
}

bool correlates_equal(const Value& value, const Value& old, const Structural& schema) {
  if (value.is_object() && old.is_object()) return members_equal(value, old, schema);
  if (value.is_array() && old.is_array()) return items_equal(value, old, schema);
  return equal_values(value, old);
}

}  // namespace tabernetes::registry::custom

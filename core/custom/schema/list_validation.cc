// Rejects duplicates in lists of type set and map; see value_validation.h.
#include <cstdint>
#include <string>
#include <vector>

#include "base/algorithm/sort.h"
#include "custom/schema/printed_value.h"
#include "custom/schema/value_validation.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;
using schema::ListType;
using schema::Structural;

// Integers and floats are different keys of Go's maps.
std::string identity(const Value& value) {
  return (value.is_double() ? "." : "") + format_value(value);
}

// Reports each text that occurs several times, once, at its second occurrence.
template <class Report>
void report_repeated(const std::vector<std::string>& texts, const Report& report) {
  std::vector<std::uint32_t> order(texts.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  sort_stable(order, [&](std::uint32_t a, std::uint32_t b) { return texts[a] < texts[b]; });
  std::string second(texts.size(), 0);
  const auto as_before = [&](std::size_t i) {
    return i > 0 && texts[order[i]] == texts[order[i - 1]];
  };
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (as_before(i) && !as_before(i - 1)) second[order[i]] = 1;
  }
  for (std::size_t i = 0; i < second.size(); ++i) {
    if (second[i] != 0) report(i);
  }
}

void check_set(const Value& list, const field::Path& path, field::ErrorList& errors) {
  std::vector<std::string> texts;
  for (const Value& item : list.items()) texts.push_back(identity(item));
  report_repeated(texts, [&](std::size_t i) {
    errors.push_back(field::duplicate(path.index(i), format_value(list.items()[i])));
  });
}

void check_map(const Value& list, const Structural& schema, const field::Path& path,
               field::ErrorList& errors) {
  json::Arena arena;
  std::vector<std::string> texts;
  std::vector<Value> keys;
  for (const Value& item : list.items()) {
    if (!item.is_object() && !item.is_null()) {
      errors.push_back(field::invalid(path.index(texts.size()), format_value(item),
                                      "must be an object for an array of list-type map"));
      return;
    }
    Value key = Value::object(arena);
    std::string text;
    for (const std::string_view name : schema.list_map_keys) {
      const Value* value = item.find(name);
      if (value != nullptr) key.append(arena, name, *value);
      text.append(value == nullptr ? "" : identity(*value)).push_back('\0');
    }
    keys.push_back(key);
    texts.push_back(std::move(text));
  }
  report_repeated(texts, [&](std::size_t i) {
    errors.push_back(field::duplicate(path.index(i), format_value(keys[i])));
  });
}

}  // namespace

void validate_lists(const Value& value, const Structural& schema, const field::Path& path,
                    field::ErrorList& errors) {
  if (!schema.has_keyed_lists) return;
  if (value.is_array()) {
    if (schema.list_type == ListType::kSet) check_set(value, path, errors);
    if (schema.list_type == ListType::kMap) check_map(value, schema, path, errors);
    if (schema.items == nullptr || !schema.items->has_keyed_lists) return;
    for (std::uint32_t i = 0; i < value.size(); ++i) {
      validate_lists(value.items()[i], *schema.items, path.index(i), errors);
    }
  } else if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      const Structural* declared = schema.property(member.key);
      const Structural* below = declared != nullptr ? declared : schema.additional;
      if (below == nullptr || !below->has_keyed_lists) continue;
      validate_lists(member.value, *below,
                     declared != nullptr ? path.child(member.key) : path.key(member.key), errors);
    }
  }
}

}  // namespace tabernetes::registry::custom

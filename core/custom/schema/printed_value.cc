#include "custom/schema/printed_value.h"

#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "codec/json_writer.h"
#include "json/equality.h"

namespace tabernetes::registry::custom {
namespace {

using json::Value;

// Sorts members at all levels; copies.
Value sorted(const Value& value, json::Arena& arena) {
  if (value.is_array()) {
    Value copy = Value::array(arena);
    for (const Value& item : value.items()) copy.push_back(arena, sorted(item, arena));
    return copy;
  }
  if (!value.is_object()) return value;
  Value copy = value.shallow_copy(arena);
  for (json::Member& member : copy.members()) member.value = sorted(member.value, arena);
  copy.sort_members();
  return copy;
}

}  // namespace

std::string format_value(const Value& value) {
  if (value.is_string()) return go_quote(value.as_string());
  if (value.is_double()) return go_g_float(value.as_double());
  std::string text;
  json::Arena arena;
  codec::write_json(sorted(value, arena), text);
  return text;
}

bool equal_values(const Value& a, const Value& b) { return json::deep_equal(a, b); }

}  // namespace tabernetes::registry::custom

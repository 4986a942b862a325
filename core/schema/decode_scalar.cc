#include "schema/decode_scalar.h"

#include <limits>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/api/quantity.h"
#include "base/go/text.h"
#include "base/go/time.h"
#include "base/numbers/float_digits.h"
#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "base/text/parts.h"

namespace tabernetes::schema {
namespace {

using json::Arena;
using json::Value;

constexpr std::int64_t kLargestExactDouble = std::int64_t{1} << 53;

bool mismatch(std::string_view found, std::string_view go_type, LeafError& error) {
  error.value = found;
  error.go_type = go_type;
  return false;
}

bool decode_integer(const Value& raw, std::int64_t low, std::int64_t high, std::string_view go_type,
                    Value& out, LeafError& error) {
  if (raw.is_int() && raw.as_int() >= low && raw.as_int() <= high) {
    out = raw;
    return true;
  }
  const bool number = raw.is_number();
  return mismatch(number ? json_kind_with_number(raw) : std::string(json::go_type_name(raw)),
                  go_type, error);
}

bool decode_int32(const Value& raw, Value& out, LeafError& error) {
  return decode_integer(raw, std::numeric_limits<std::int32_t>::min(),
                        std::numeric_limits<std::int32_t>::max(), "int32", out, error);
}

bool decode_double(const Value& raw, Arena& arena, Value& out, LeafError& error) {
  if (!raw.is_number()) return mismatch(json::go_type_name(raw), "float64", error);
  const bool exact =
      raw.is_int() && raw.as_int() >= -kLargestExactDouble && raw.as_int() <= kLargestExactDouble;
  out = exact ? raw : Value::number(arena, raw.as_double());
  return true;
}

// Decodes a list of small numbers as bytes, as Go does.
bool decode_byte_list(const Value& raw, Arena& arena, Value& out, LeafError& error) {
  std::string bytes;
  for (const Value& item : raw.items()) {
    const bool number = item.is_number();
    if (!item.is_null() && !(item.is_int() && item.as_int() >= 0 && item.as_int() <= 255)) {
      return mismatch(number ? json_kind_with_number(item) : std::string(json::go_type_name(item)),
                      "uint8", error);
    }
    bytes += static_cast<char>(item.is_null() ? 0 : item.as_int());
  }
  out = Value::string(arena.copy(base64_encode(bytes)));
  return true;
}

bool decode_bytes(const Value& raw, Arena& arena, Value& out, LeafError& error) {
  if (raw.is_array()) return decode_byte_list(raw, arena, out, error);
  if (!raw.is_string()) return mismatch(json::go_type_name(raw), "[]uint8", error);
  const Base64Text checked = check_base64(raw.as_string());
  if (checked.error_at) {
    error.message = "illegal base64 data at input byte " + std::to_string(*checked.error_at);
    return false;
  }
  out = raw;
  if (!checked.canonical) {
    out = Value::string(arena.copy(base64_encode(*base64_decode(raw.as_string()))));
  }
  return true;
}

bool stop_at(std::string_view message, LeafError& error) {
  error.message = message;
  error.stops = true;
  return false;
}

// A quantity parses the JSON text itself, so a number is valid, too.
bool decode_quantity(const Value& raw, Arena& arena, Value& out, LeafError& error) {
  std::string number;
  std::string_view text = "{}";  // any other value
  if (raw.is_string()) {
    text = trim(raw.as_string(), kGoSpaces);
  } else if (raw.is_int()) {
    number = std::to_string(raw.as_int());
    text = number;
  } else if (raw.is_double()) {
    number = raw.double_text().empty() ? go_json_float(raw.as_double()) : raw.double_text();
    text = number;
  }
  std::string storage;
  std::string_view message;
  const std::optional<std::string_view> canonical = canonical_quantity(text, storage, message);
  if (!canonical) return stop_at(message, error);
  if (raw.is_string() && *canonical == raw.as_string()) {
    out = raw;
  } else {
    out = Value::string(arena.copy(*canonical));
  }
  return true;
}

bool decode_time(const Value& raw, TimeLayout layout, Arena& arena, Value& out, LeafError& error) {
  if (!raw.is_string()) {
    error.stops = true;
    return mismatch(json::go_type_name(raw), "string", error);
  }
  if (is_canonical_go_time(raw.as_string(), layout)) {
    out = raw;
    return true;
  }
  const GoTime time = normalise_go_time(raw.as_string(), layout);
  if (!time.error.empty()) return stop_at(time.error, error);
  out = time.text.empty() ? Value::null() : Value::string(arena.copy(time.text));
  return true;
}

bool decode_int_or_string(const Value& raw, Value& out, LeafError& error) {
  if (raw.is_string()) {
    out = raw;
    return true;
  }
  error.stops = true;
  return decode_int32(raw, out, error);
}

}  // namespace

std::string json_kind_with_number(const Value& value) {
  std::string text(json::go_type_name(value));
  if (value.is_int()) return text + " " + std::to_string(value.as_int());
  if (!value.is_double()) return text;
  text += ' ';
  text += value.double_text().empty() ? go_json_float(value.as_double()) : value.double_text();
  return text;
}

// Only canonical quantities with these suffixes can be finer than thousandths.
Value rounded_to_milli(const Value& quantity, Arena& arena) {
  const std::string_view text = quantity.as_string();
  if (!text.ends_with('n') && !text.ends_with('u') && !text.ends_with("e-6") &&
      !text.ends_with("e-9")) {
    return quantity;
  }
  std::string_view error;
  std::optional<Quantity> amount = Quantity::parse(text, error);
  if (!amount) return quantity;
  amount->round_up(-3);
  return Value::string(arena.copy(amount->to_string()));
}

bool decode_leaf(FieldType type, std::string_view go_type, const Value& raw, Arena& arena,
                 Value& out, LeafError& error) {
  switch (type) {
    case FieldType::kString:
    case FieldType::kDuration:
      if (!raw.is_string()) {
        return mismatch(json::go_type_name(raw), go_type.empty() ? "string" : go_type, error);
      }
      out = raw;
      return true;
    case FieldType::kBoolean:
      if (!raw.is_bool()) return mismatch(json::go_type_name(raw), "bool", error);
      out = raw;
      return true;
    case FieldType::kInt32:
      return decode_int32(raw, out, error);
    case FieldType::kInt64:
      return decode_integer(raw, std::numeric_limits<std::int64_t>::min(),
                            std::numeric_limits<std::int64_t>::max(), "int64", out, error);
    case FieldType::kNumber:
      return decode_double(raw, arena, out, error);
    case FieldType::kBytes:
      return decode_bytes(raw, arena, out, error);
    case FieldType::kQuantity:
      return decode_quantity(raw, arena, out, error);
    case FieldType::kTime:
      return decode_time(raw, TimeLayout::kSeconds, arena, out, error);
    case FieldType::kMicroTime:
      return decode_time(raw, TimeLayout::kMicroseconds, arena, out, error);
    case FieldType::kIntOrString:
      return decode_int_or_string(raw, out, error);
    case FieldType::kJson:
      out = normalise_free_form(raw, arena);
      return true;
    default:  // free-form: kept unchanged
      out = raw;
      return true;
  }
}

// Uses an explicit stack: free-form values nest as deep as the reader allows.
Value normalise_free_form(const Value& raw, Arena& arena) {
  struct Pending {
    const Value* from;
    Value* to;
  };
  Value result;
  std::vector<Pending> pending{{&raw, &result}};
  while (!pending.empty()) {
    const Pending task = pending.back();
    pending.pop_back();
    if (task.from->is_array()) {
      *task.to = Value::array(arena);
      task.to->reserve(arena, task.from->size());
      for (std::uint32_t i = 0; i < task.from->size(); ++i) task.to->push_back(arena, Value());
      for (std::uint32_t i = 0; i < task.from->size(); ++i) {
        pending.push_back({&task.from->items()[i], &task.to->items()[i]});
      }
    } else if (task.from->is_object()) {
      std::vector<const json::Member*> members;
      members.reserve(task.from->size());
      for (const json::Member& member : task.from->members()) members.push_back(&member);
      sort_stable(members,
                  [](const json::Member* a, const json::Member* b) { return a->key < b->key; });
      *task.to = Value::object(arena);
      task.to->reserve(arena, task.from->size());
      std::vector<const Value*> sources;
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (i + 1 < members.size() && members[i + 1]->key == members[i]->key) continue;
        task.to->append(arena, members[i]->key, Value());
        sources.push_back(&members[i]->value);
      }
      for (std::uint32_t i = 0; i < task.to->size(); ++i) {
        pending.push_back({sources[i], &task.to->members()[i].value});
      }
    } else {
      *task.to = *task.from;
    }
  }
  return result;
}

}  // namespace tabernetes::schema

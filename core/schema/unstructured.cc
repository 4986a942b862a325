#include "schema/unstructured.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "json/type_name.h"
#include "schema/go_type.h"

namespace tabernetes::schema {
namespace {

using json::Value;

std::string cannot_restore(std::string_view wanted, const Value& value) {
  return std::string("cannot restore ").append(wanted).append(json::go_kind_name(value));
}

// Returns the error for assigning a scalar to a field of the Go kind `kind`, whose type may be
// named.
std::string scalar_error(std::string_view kind, std::string_view go_type, bool fits,
                         bool convertible, const Value& value) {
  if (fits) return {};
  if (!convertible) return std::string("unrecognized type: ").append(kind);
  return std::string("cannot convert ")
      .append(json::go_kind_name(value))
      .append(" to ")
      .append(go_type.empty() ? kind : go_type);
}

// Converts like Go on amd64: a double out of range becomes the smallest int64.
std::int64_t whole_number(const Value& value) {
  constexpr double kTwoTo63 = 9223372036854775808.0;
  if (value.is_int()) return value.as_int();
  const double number = value.as_double();
  if (number >= -kTwoTo63 && number < kTwoTo63) return static_cast<std::int64_t>(number);
  return std::numeric_limits<std::int64_t>::min();
}

std::string make_integer(std::string_view kind, Value& value) {
  const bool whole = value.is_double() && value.as_double() == std::trunc(value.as_double());
  std::string error = scalar_error(kind, {}, value.is_int() || whole, value.is_number(), value);
  if (!error.empty()) return error;
  const std::int64_t number = whole_number(value);
  value = Value::integer(
      kind == "int32" ? static_cast<std::int32_t>(static_cast<std::uint32_t>(number)) : number);
  return error;
}

// A value still to be checked.
struct OpenValue {
  const TypeRef* type;
  std::string_view go_type;
  Value* value;
};

class Converter {
 public:
  std::string run(const Type& type, const Value& object) {
    open_members(type, object);
    std::string error;
    while (error.empty() && !open_.empty()) {
      const OpenValue next = open_.back();
      open_.pop_back();
      if (!next.value->is_null()) error = check(next);
    }
    return error;
  }

 private:
  std::string check(const OpenValue& open) {
    Value& value = *open.value;
    switch (open.type->type) {
      case FieldType::kRef:
        if (!value.is_object()) return cannot_restore("struct from: ", value);
        if (open.type->ref->special == FieldType::kRef) open_members(*open.type->ref, value);
        return {};
      case FieldType::kMap:
        if (!value.is_object()) return cannot_restore("map from ", value);
        open_all(open);
        return {};
      case FieldType::kArray:
        if (!value.is_array()) return cannot_restore("slice from ", value);
        open_all(open);
        return {};
      case FieldType::kBytes:
        return value.is_string() || value.is_array() ? "" : cannot_restore("slice from ", value);
      case FieldType::kString:
        return scalar_error("string", open.go_type, value.is_string(), value.is_int(), value);
      case FieldType::kBoolean:
        return scalar_error("bool", {}, value.is_bool(), false, value);
      case FieldType::kInt32:
        return make_integer("int32", value);
      case FieldType::kInt64:
        return make_integer("int64", value);
      case FieldType::kNumber:
        return scalar_error("float64", {}, value.is_number(), false, value);
      default:
        return {};
    }
  }

  // Pushes the fields in reverse, so that they are checked in the order of the type.
  void open_members(const Type& type, const Value& object) {
    const auto& fields = type.json_fields();
    for (auto field = fields.rbegin(); field != fields.rend(); ++field) {
      if (Value* value = object.find((*field)->name)) {
        open_.push_back({&(*field)->type, (*field)->go_type, value});
      }
    }
  }

  void open_all(const OpenValue& open) {
    const TypeRef* element = open.type->element;
    const std::string_view go_type = go_element_name(open.go_type);
    const std::size_t first = open_.size();
    if (open.value->is_array()) {
      for (Value& item : open.value->items()) open_.push_back({element, go_type, &item});
    } else {
      for (json::Member& member : open.value->members()) {
        open_.push_back({element, go_type, &member.value});
      }
    }
    std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(first), open_.end());
  }

  std::vector<OpenValue> open_;
};

}  // namespace

std::string convert_unstructured(const Type& type, const Value& object) {
  return Converter().run(type, object);
}

std::string as_converter_error(std::string error) {
  if (error.starts_with("illegal base64 data")) error.insert(0, "error decoding from json: ");
  return error;
}

}  // namespace tabernetes::schema

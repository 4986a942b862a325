#include <map>
#include <set>
#include <vector>

#include "base/go/text.h"
#include "json/go_format.h"
#include "json/type_name.h"
#include "patch/typed.h"

namespace tabernetes::patch {
namespace {

using json::Value;
using schema::FieldType;

// Formats like Go's %#v.
std::string go_syntax(const Value& value) {
  if (value.is_string()) return go_quote(value.as_string());
  if (value.is_null()) return "interface {}(nil)";
  if (!value.is_object() && !value.is_array()) return json::go_format(value);
  std::string text;
  std::string_view separator;
  const auto add = [&](const std::string& key, const Value& inner) {
    text.append(separator).append(key).append(go_syntax(inner));
    separator = ", ";
  };
  if (value.is_array()) {
    for (const Value& item : value.items()) add({}, item);
    return "[]interface {}{" + text + "}";
  }
  std::map<std::string_view, const Value*> sorted;
  for (const json::Member& member : value.members()) sorted[member.key] = &member.value;
  for (const auto& [key, inner] : sorted) add(go_quote(key) + ":", *inner);
  return "map[string]interface {}{" + text + "}";
}

class Validator {
 public:
  explicit Validator(Duplicates duplicates) : duplicates_(duplicates) {}

  std::string run(const Shape& shape, const Value& value) {
    if (shape.type != nullptr) check_struct(*shape.type, value, 0);
    if (shape.custom) check_custom(shape, value, 0);
    return text();
  }

 private:
  void error(const std::string& what) { errors_.push_back(path_ + ": " + what); }

  std::string text() const {
    if (errors_.size() == 1) return errors_.front();
    std::string all = errors_.empty() ? "" : "errors:";
    for (const std::string& each : errors_) all += "\n  " + each;
    return all;
  }

  // Checks a part with `step` appended to the path.
  template <class Check>
  void below(const std::string& step, Check check) {
    const std::size_t length = path_.size();
    path_ += step;
    check();
    path_.resize(length);
  }

  void check(const schema::TypeRef& type, const schema::Field* field, const Value& value,
             int depth) {
    if (value.is_null() || depth >= FieldSet::kMaxDepth) return;
    switch (type.type) {
      case FieldType::kRef:
        if (type.ref->special == FieldType::kRef) check_struct(*type.ref, value, depth);
        break;
      case FieldType::kMap:
        check_map(type, value, depth);
        break;
      case FieldType::kArray:
        check_list(type, field, value, depth);
        break;
      case FieldType::kString:
      case FieldType::kBytes:
        check_string(value);
        break;
      case FieldType::kInt32:
      case FieldType::kInt64:
      case FieldType::kNumber:
        check_number(value);
        break;
      case FieldType::kBoolean:
        check_boolean(value);
        break;
      case FieldType::kQuantity:
      case FieldType::kIntOrString:
      case FieldType::kTime:
      case FieldType::kMicroTime:
      case FieldType::kDuration:
        if (value.is_object() || value.is_array()) {
          error("expected any scalar, got &{" + json::go_format(value) + "}");
        }
        break;
      default:
        break;  // free-form
    }
  }

  void check_string(const Value& value) {
    if (value.is_string()) return;
    error("expected string, got &value.valueUnstructured{Value:" + go_syntax(value) + "}");
  }
  void check_number(const Value& value) {
    if (value.is_number()) return;
    error("expected numeric (int or float), got " + std::string(json::go_dynamic_type(value)));
  }
  void check_boolean(const Value& value) {
    if (!value.is_bool()) error("expected boolean, got &{" + json::go_format(value) + "}");
  }

  // Checks a part of a custom object, which may be metadata.
  void check_part(const Shape& shape, const Value& value, int depth) {
    if (value.is_null() || depth >= FieldSet::kMaxDepth) return;
    if (shape.type != nullptr) return check_struct(*shape.type, value, depth);
    if (shape.custom && shape.schema != nullptr) check_custom(shape, value, depth);
  }

  void check_custom(const Shape& shape, const Value& value, int depth) {
    switch (shape.schema->type) {
      case schema::JsonType::kNone:
        if (value.is_object()) check_custom_members(shape, value, depth);
        break;
      case schema::JsonType::kObject:
        if (is_map(value)) check_custom_members(shape, value, depth);
        break;
      case schema::JsonType::kArray:
        check_items(shape, value, [&](const Value& item) {
          if (shape.schema->items == nullptr) return;
          check_part(shape.item(), item, depth + 1);
        });
        break;
      case schema::JsonType::kString:
        check_string(value);
        break;
      case schema::JsonType::kInteger:
      case schema::JsonType::kNumber:
        check_number(value);
        break;
      case schema::JsonType::kBoolean:
        check_boolean(value);
        break;
    }
  }

  void check_custom_members(const Shape& shape, const Value& value, int depth) {
    bool known = true;
    for (const json::Member& member : value.members()) {
      below("." + std::string(member.key), [&] {
        const auto part = shape.member(member.key);
        known = part.has_value();
        if (!known) return error("field not declared in schema");
        check_part(part->shape, member.value, depth + 1);
      });
      if (!known) return;
    }
  }

  bool is_map(const Value& value) {
    if (value.is_object()) return true;
    error("expected map, got &{" + json::go_format(value) + "}");
    return false;
  }

  void check_struct(const schema::Type& type, const Value& value, int depth) {
    if (!is_map(value)) return;
    bool known = true;
    for (const json::Member& member : value.members()) {
      below("." + std::string(member.key), [&] {
        const schema::Field* field = type.find(member.key);
        known = field != nullptr;
        if (!known) return error("field not declared in schema");
        check(field->type, field, member.value, depth + 1);
      });
      if (!known) return;
    }
  }

  void check_map(const schema::TypeRef& type, const Value& value, int depth) {
    if (!is_map(value)) return;
    for (const json::Member& member : value.members()) {
      below("." + std::string(member.key),
            [&] { check(*type.element, nullptr, member.value, depth + 1); });
    }
  }

  void check_list(const schema::TypeRef& type, const schema::Field* field, const Value& value,
                  int depth) {
    check_items(Shape::of(type, field), value,
                [&](const Value& item) { check(*type.element, nullptr, item, depth + 1); });
  }

  template <class CheckItem>
  void check_items(const Shape& shape, const Value& value, const CheckItem& check_item) {
    if (!value.is_array()) {
      error("expected list, got &{" + json::go_format(value) + "}");
      return;
    }
    std::set<PathElement> seen;
    std::uint32_t position = 0;
    for (const Value& item : value.items()) {
      std::string step = "[" + std::to_string(position) + "]";
      if (shape.is_list()) {
        const auto element = shape.item_element(item);
        if (!element) {
          error("element " + std::to_string(position) + ": " + shape.item_problem(item));
          return;  // later items are not checked if one cannot be identified
        }
        step = element->to_text();
        if (!seen.insert(*element).second && duplicates_ == Duplicates::kRefused) {
          error("duplicate entries for key " + step);
        }
      }
      below(step, [&] { check_item(item); });
      ++position;
    }
  }

  const Duplicates duplicates_;
  std::string path_;
  std::vector<std::string> errors_;
};

}  // namespace

std::string validate_typed(const Shape& shape, const Value& value, Duplicates duplicates) {
  return Validator(duplicates).run(shape, value);
}

}  // namespace tabernetes::patch

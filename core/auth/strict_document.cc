#include "auth/strict_document.h"

#include <algorithm>
#include <string>
#include <vector>

#include "base/go/duration.h"
#include "base/go/text.h"
#include "codec/json_writer.h"
#include "codec/yaml.h"
#include "json/type_name.h"

namespace tabernetes::auth {
namespace {

using json::Value;

constexpr std::string_view kConfigurationGroup = "apiserver.config.k8s.io/";
constexpr std::string_view kVersions[] = {"v1", "v1beta1", "v1alpha1"};

// Compares a document with a shape.
class ShapeCheck {
 public:
  ShapeCheck(std::string_view kind, json::Arena& arena) : kind_(kind), arena_(arena) {}

  // Returns the value with the members of `shape`, which it removes from the text.
  Value check(const Value& value, std::string_view& shape, const std::string& path) {
    const char c = take(shape);
    if (c == '{') return check_object(value, shape, path);
    if (c == 'L') return check_list(value, shape, path);
    const bool fits = c == 'b' ? value.is_bool() : value.is_string();
    if (!fits) return mistyped(value, path, c == 'b' ? "bool" : "string");
    if (c == 'd' && !go_parse_duration(value.as_string()).error.empty() && fault_.empty()) {
      fault_ = go_parse_duration(value.as_string()).error;
    }
    return value;
  }

  std::string fault() const {
    if (!fault_.empty() || unknown_.empty()) return fault_;
    std::string text = "strict decoding error: ";
    for (const std::string& field : unknown_) {
      text += (&field == unknown_.data() ? "" : ", ") + ("unknown field " + go_quote(field));
    }
    return text;
  }

 private:
  static char take(std::string_view& shape) {
    const char c = shape.front();
    shape.remove_prefix(1);
    return c;
  }

  Value mistyped(const Value& value, const std::string& path, std::string_view type) {
    if (fault_.empty()) {
      std::string field;  // without indices, as encoding/json names it
      for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == '[') i = path.find(']', i);
        if (path[i] != ']') field += path[i];
      }
      fault_ = "json: cannot unmarshal " + std::string(json::go_type_name(value)) +
               " into Go struct field " + std::string(kind_) + "." + field + " of type " +
               std::string(type);
    }
    return Value();
  }

  // Skips a shape.
  static void skip(std::string_view& shape) {
    int depth = 0;
    do {
      const char c = take(shape);
      depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    } while (depth > 0 || (!shape.empty() && shape.front() != ',' && shape.front() != '}'));
  }

  Value check_list(const Value& value, std::string_view& shape, const std::string& path) {
    const std::string_view item = shape;
    skip(shape);
    if (!value.is_array()) return mistyped(value, path, "[]");
    Value list = Value::array(arena_);
    for (std::uint32_t i = 0; i < value.size(); ++i) {
      std::string_view rest = item;
      list.push_back(arena_, check(value.items()[i], rest, path + "[" + std::to_string(i) + "]"));
    }
    return list;
  }

  Value check_object(const Value& value, std::string_view& shape, const std::string& path) {
    Value object = Value::object(arena_);
    std::vector<std::string_view> known;
    do {
      const std::string_view name = shape.substr(0, shape.find(':'));
      shape.remove_prefix(name.size() + 1);
      known.push_back(name);
      const Value* member = value.is_object() ? value.find(name) : nullptr;
      if (member == nullptr || member->is_null()) {
        skip(shape);
        continue;
      }
      object.append(arena_, name, check(*member, shape, inside(path, name)));
    } while (take(shape) == ',');
    if (!value.is_object()) return mistyped(value, path, "struct");
    for (const json::Member& member : value.members()) {
      if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
      if (path.empty() && (member.key == "kind" || member.key == "apiVersion")) continue;
      unknown_.push_back(inside(path, member.key));
    }
    return object;
  }

  static std::string inside(const std::string& path, std::string_view name) {
    return path.empty() ? std::string(name) : path + "." + std::string(name);
  }

  std::string_view kind_;
  json::Arena& arena_;
  std::string fault_;
  std::vector<std::string> unknown_;
};

std::string kind_fault(const Value& document, const ConfigurationKind& wanted) {
  const std::string_view kind = document.string_at("kind"),
                         version = document.string_at("apiVersion");
  if (kind.empty()) return "Object 'Kind' is missing in '" + codec::json_text(document) + "'";
  if (version.empty()) {
    return "Object 'apiVersion' is missing in '" + codec::json_text(document) + "'";
  }
  const bool ours = version.starts_with(kConfigurationGroup) &&
                    std::find(std::begin(kVersions), std::end(kVersions),
                              version.substr(kConfigurationGroup.size())) != std::end(kVersions);
  if (ours && kind == wanted.kind) return {};
  return "no kind " + go_quote(kind) + " is registered for version " + go_quote(version) +
         " in scheme " + go_quote(wanted.scheme);
}

}  // namespace

Expected<Value> read_strictly(std::string_view text, const ConfigurationKind& kind,
                              json::Arena& arena) {
  const codec::YamlRead read = codec::read_yaml(arena.copy(text), arena);
  if (!read.ok()) return Fault{"error converting YAML to JSON: " + read.error};
  const Value document = read.value.is_object() ? read.value : Value::object(arena);
  if (std::string fault = kind_fault(document, kind); !fault.empty()) return Fault{fault};
  if (!read.duplicates.empty())
    return Fault{"strict decoding error: yaml: unmarshal errors:\n  " + read.duplicates.front()};
  ShapeCheck check(kind.kind, arena);
  std::string_view shape = kind.shape;
  Value checked = check.check(document, shape, {});
  if (std::string fault = check.fault(); !fault.empty()) return Fault{fault};
  return checked;
}

}  // namespace tabernetes::auth

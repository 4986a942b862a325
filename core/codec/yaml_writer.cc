// The real server writes JSON, reads it as YAML and writes that: hence what cannot be written and
// how numbers look. Source: sigs.k8s.io/yaml JSONToYAML, go-yaml v2 encode.go; spec/rest.md 5.14.
// Tested by tests/core/codec/yaml_writer_test.cc, tests/fuzz/yaml_fuzz.cc.
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/float_digits.h"
#include "base/go_text.h"
#include "base/utf8.h"
#include "codec/yaml.h"
#include "codec/yaml_emitter.h"
#include "codec/yaml_key_order.h"
#include "codec/yaml_scalar.h"

namespace tabernetes::codec {
namespace {

using json::Member;
using json::Type;
using json::Value;

// Characters that YAML's reader refuses. Those below U+0020 pass it as escapes of JSON.
bool is_readable(std::string_view text) {
  while (!text.empty()) {
    if (static_cast<unsigned char>(text[0]) < 0x7F) {
      text.remove_prefix(1);
      continue;
    }
    const Rune rune = decode_rune(text);
    const bool is_c1 = rune.value >= 0x7F && rune.value < 0xA0 && rune.value != 0x85;
    if (is_c1 || rune.value == 0xFFFE || rune.value == 0xFFFF) return false;
    text.remove_prefix(rune.size);
  }
  return true;
}

// 190:20:30.15, which YAML 1.1 takes for a number to base 60:
// [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
bool is_base_60(std::string_view text) {
  const auto is_digit = [&text](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  std::size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (!is_digit(i)) return false;
  while (is_digit(i) || (i < text.size() && text[i] == '_')) ++i;
  int parts = 0;
  for (; i < text.size() && text[i] == ':' && is_digit(i + 1); ++parts) {
    i += is_digit(i + 2) && text[i + 1] <= '5' ? 3 : 2;
  }
  if (parts == 0) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    while (is_digit(i) || (i < text.size() && text[i] == '_')) ++i;
  }
  return i == text.size();
}

YamlStyle style_of(std::string_view text) {
  if (text.find('\n') != std::string_view::npos) return YamlStyle::kLiteral;
  const bool is_string = resolve_yaml_scalar(text).kind == YamlScalar::Kind::kString &&
                         !is_yaml_timestamp(text) && !is_base_60(text);
  return is_string ? YamlStyle::kPlain : YamlStyle::kDoubleQuoted;
}

// A float as JSON has it, which is an integer to YAML where it is written without a point.
std::string float_text(double value) {
  std::string json = go_json_float(value);
  switch (resolve_yaml_scalar(json).kind) {
    case YamlScalar::Kind::kInt:
      return json == "-0" ? "0" : json;
    case YamlScalar::Kind::kUint:
      return json;
    default:
      return go_g_float(value);
  }
}

class Writer {
 public:
  explicit Writer(std::string& out) : emitter_(out) {}

  bool write(const Value& root) {
    if (!begin(root)) return false;
    while (!open_.empty()) {
      Container& container = open_.back();
      if (container.next == container.value.size()) {
        container.value.is_array() ? emitter_.end_sequence() : emitter_.end_mapping();
        open_.pop_back();
      } else if (container.value.is_array()) {
        const Value item = container.value.items()[container.next++];
        if (!begin(item)) return false;
      } else {
        const Member* member = container.members[container.next++];
        if (!string(member->key) || !begin(member->value)) return false;
      }
    }
    emitter_.end_document();
    return true;
  }

 private:
  struct Container {
    Value value;
    std::vector<const Member*> members;  // of an object, in the order in which they are written
    std::uint32_t next = 0;
  };

  bool string(std::string_view text) {
    if (!is_readable(text)) return false;
    emitter_.scalar(text, style_of(text));
    return true;
  }

  bool begin(const Value& value) {
    switch (value.type()) {
      case Type::kNull:
        emitter_.scalar("null", YamlStyle::kPlain);
        return true;
      case Type::kBool:
        emitter_.scalar(value.as_bool() ? "true" : "false", YamlStyle::kPlain);
        return true;
      case Type::kInt:
        emitter_.scalar(std::to_string(value.as_int()), YamlStyle::kPlain);
        return true;
      case Type::kDouble:
        emitter_.scalar(std::isfinite(value.as_double()) ? float_text(value.as_double())
                                                         : std::string(value.double_text()),
                        YamlStyle::kPlain);
        return true;
      case Type::kString:
        return string(value.as_string());
      case Type::kArray:
        emitter_.begin_sequence(value.size() == 0);
        open_.push_back({value, {}});
        return true;
      case Type::kObject:
        emitter_.begin_mapping(value.size() == 0);
        open_.push_back({value, sorted_members(value)});
        return true;
    }
    return true;
  }

  static std::vector<const Member*> sorted_members(const Value& object) {
    std::vector<const Member*> members;
    members.reserve(object.size());
    for (const Member& member : object.members()) members.push_back(&member);
    std::stable_sort(members.begin(), members.end(), [](const Member* a, const Member* b) {
      return yaml_key_before(a->key, b->key);
    });
    return members;
  }

  YamlEmitter emitter_;
  std::vector<Container> open_;
};

}  // namespace

bool write_yaml(const Value& value, std::string& out) { return Writer(out).write(value); }

}  // namespace tabernetes::codec

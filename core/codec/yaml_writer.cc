// The real server writes JSON, reads it as YAML and writes that; this determines which trees cannot
// be written and how numbers look. Source: sigs.k8s.io/yaml JSONToYAML, go-yaml v2 encode.go;
// spec/rest.md 5.14. Tested by tests/core/codec/yaml_writer_test.cc, tests/fuzz/yaml_fuzz.cc.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "codec/json_writer.h"
#include "codec/yaml.h"
#include "codec/yaml_emitter.h"
#include "codec/yaml_key_order.h"
#include "codec/yaml_scalar.h"
#include "json/access.h"

namespace tabernetes::codec {
namespace {

using json::Member;
using json::Value;

// Returns whether eight bytes are all ASCII below DEL.
bool is_plain_ascii(const char* bytes) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return ((word | (word + kOnes)) & kHighBits) == 0;
}

// Returns whether YAML's reader accepts all characters. Those below U+0020 are escaped in JSON.
bool is_readable(std::string_view text) {
  while (!text.empty()) {
    if (text.size() >= 8 && is_plain_ascii(text.data())) {
      text.remove_prefix(8);
      continue;
    }
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

// Recognises 190:20:30.15, which YAML 1.1 reads as a base 60 number:
// [-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?
bool is_base_60(std::string_view text) {
  const auto digit_at = [&text](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  std::size_t i = text.starts_with('-') || text.starts_with('+') ? 1 : 0;
  if (!digit_at(i)) return false;
  while (digit_at(i) || (i < text.size() && text[i] == '_')) ++i;
  int parts = 0;
  for (; i < text.size() && text[i] == ':' && digit_at(i + 1); ++parts) {
    i += digit_at(i + 2) && text[i + 1] <= '5' ? 3 : 2;
  }
  if (parts == 0) return false;
  if (i < text.size() && text[i] == '.') {
    ++i;
    while (digit_at(i) || (i < text.size() && text[i] == '_')) ++i;
  }
  return i == text.size();
}

constexpr std::string_view kNextLine = "\u0085";

std::size_t count_next_lines(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(kNextLine); at != std::string_view::npos;
       at = text.find(kNextLine, at + kNextLine.size())) {
    ++count;
  }
  return count;
}

// Returns a JSON string with next lines as YAML reads it: a single one, with the spaces around it,
// becomes a space; of several, all but the first become line breaks.
std::string fold_next_lines(std::string_view text) {
  std::string folded;
  for (std::size_t at = text.find(kNextLine); at != std::string_view::npos;
       at = text.find(kNextLine)) {
    folded += text.substr(0, at);
    folded.erase(folded.find_last_not_of(' ') + 1);
    text.remove_prefix(at);
    std::size_t breaks = 0;
    while (!text.empty()) {
      if (text.starts_with(kNextLine)) {
        ++breaks;
        text.remove_prefix(kNextLine.size());
      } else if (text[0] == ' ') {
        text.remove_prefix(1);
      } else {
        break;
      }
    }
    folded += breaks == 1 ? std::string(" ") : std::string(breaks - 1, '\n');
  }
  return folded += text;
}

// Returns whether YAML accepts the key, in its JSON form, without a question mark.
bool is_simple_key(std::string_view key) {
  constexpr std::size_t kMost = 1024;
  constexpr std::size_t kMostForOne = 6;  // JSON's longest form of one byte
  if (key.find(kNextLine) != std::string_view::npos) return false;
  if (key.size() <= kMost / kMostForOne - 1) return true;
  std::string json;
  write_json_string(key, json);
  std::size_t characters = 0;
  for (const char c : json) characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return characters <= kMost;
}

YamlStyle style_of(std::string_view text) {
  if (text.find('\n') != std::string_view::npos) return YamlStyle::kLiteral;
  const bool is_string = resolve_yaml_scalar(text).kind == YamlScalar::Kind::kString &&
                         !is_yaml_timestamp(text) && !is_base_60(text);
  return is_string ? YamlStyle::kPlain : YamlStyle::kDoubleQuoted;
}

// Formats a float as JSON does; without a point it is an integer in YAML.
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
        if (!is_simple_key(member->key)) return false;
        if (!string(member->key) || !begin(member->value)) return false;
      }
    }
    emitter_.end_document();
    return true;
  }

 private:
  struct Container {
    Value value;
    std::vector<const Member*> members;  // of an object, in output order
    std::uint32_t next = 0;
  };

  bool string(std::string_view text) {
    if (!is_readable(text)) return false;
    if (text.find(kNextLine) != std::string_view::npos) {
      const std::string folded = fold_next_lines(text);
      emitter_.scalar(folded, style_of(folded));
    } else {
      emitter_.scalar(text, style_of(text));
    }
    return true;
  }

  bool begin(const Value& value) {
    switch (value.type()) {
      case json::Type::kNull:
        emitter_.scalar("null", YamlStyle::kPlain);
        return true;
      case json::Type::kBool:
        emitter_.scalar(value.as_bool() ? "true" : "false", YamlStyle::kPlain);
        return true;
      case json::Type::kInt:
        emitter_.scalar(std::to_string(value.as_int()), YamlStyle::kPlain);
        return true;
      case json::Type::kDouble:
        emitter_.scalar(std::isfinite(value.as_double()) ? float_text(value.as_double())
                                                         : std::string(value.double_text()),
                        YamlStyle::kPlain);
        return true;
      case json::Type::kString:
        return string(value.as_string());
      case json::Type::kArray:
        emitter_.begin_sequence(value.size() == 0);
        open_.push_back({value, {}});
        return true;
      case json::Type::kObject:
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
    sort_stable(members,
                [](const Member* a, const Member* b) { return yaml_key_before(a->key, b->key); });
    return members;
  }

  YamlEmitter emitter_;
  std::vector<Container> open_;
};

// Finds out why a tree cannot be written. YAML's reader sees control characters before its parser
// sees keys, and counts lines in the order of the JSON.
class FaultFinder {
 public:
  std::string find(const Value& root) {
    std::vector<Member> todo = {{{}, root}};
    while (!todo.empty()) {
      const Member next = todo.back();
      todo.pop_back();
      if (!visit(next)) return "control characters are not allowed";
      const Value& value = next.value;
      for (std::uint32_t i = value.size(); i > 0; --i) {
        todo.push_back(value.is_array() ? Member{{}, value.items()[i - 1]}
                                        : value.members()[i - 1]);
      }
    }
    return key_fault_;
  }

 private:
  // Returns false for control characters.
  bool visit(const Member& member) {
    const std::string_view text = text_of(member.value);
    lines_ += count_next_lines(member.key);
    if (!is_simple_key(member.key) && key_fault_.empty()) {
      if (lines_ > 0) key_fault_ = "line " + std::to_string(lines_) + ": ";
      key_fault_ += "did not find expected ',' or '}'";
    }
    lines_ += count_next_lines(text);
    return is_readable(member.key) && is_readable(text);
  }

  std::string key_fault_;
  std::size_t lines_ = 0;
};

}  // namespace

// The text between two quotes is a string or the gap between strings; none may be longer than a
// key.
bool is_surely_yaml(std::string_view json) {
  constexpr std::size_t kShort = 1000;
  if (!is_readable(json) || json.find(kNextLine) != std::string_view::npos) return false;
  while (true) {
    const std::size_t length = json.find('"');
    if (length == std::string_view::npos) return true;
    if (length > kShort) return false;
    json.remove_prefix(length + 1);
  }
}

bool write_yaml(const Value& value, std::string& out, std::string* error) {
  if (Writer(out).write(value)) return true;
  if (error != nullptr) *error = "yaml: " + FaultFinder().find(value);
  return false;
}

}  // namespace tabernetes::codec

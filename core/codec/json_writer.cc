// Members in the order of the tree, an explicit stack instead of recursion.
// Tested by tests/core/codec/json_writer_test.cc, tests/fuzz/json_fuzz.cc.
#include "codec/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/go_text.h"

namespace tabernetes::codec {
namespace {

using json::Member;
using json::Type;
using json::Value;

// Bytes that end the run of bytes written as they are. 0xE2 may begin U+2028 or U+2029.
constexpr std::array<bool, 256> make_special() {
  std::array<bool, 256> special{};
  for (int c = 0; c < 0x20; ++c) special[static_cast<std::size_t>(c)] = true;
  for (const unsigned char c : {'"', '\\', '<', '>', '&'}) special[c] = true;
  special[0xE2] = true;
  return special;
}
constexpr std::array<bool, 256> kSpecial = make_special();

void write_escape(char c, std::string& out) {
  static constexpr char kHex[] = "0123456789abcdef";
  switch (c) {
    case '"':
    case '\\':
      out += {'\\', c};
      break;
    case '\b':
      out += "\\b";
      break;
    case '\f':
      out += "\\f";
      break;
    case '\n':
      out += "\\n";
      break;
    case '\r':
      out += "\\r";
      break;
    case '\t':
      out += "\\t";
      break;
    default:
      out += "\\u00";
      out += kHex[static_cast<unsigned char>(c) >> 4];
      out += kHex[c & 15];
  }
}

void write_scalar(const Value& value, std::string& out) {
  switch (value.type()) {
    case Type::kBool:
      out += value.as_bool() ? "true" : "false";
      break;
    case Type::kInt: {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof digits, value.as_int()).ptr;
      out.append(digits, end);
      break;
    }
    case Type::kDouble:
      // What is beyond the range of a double stands as it was sent; decoders refuse it.
      out += std::isfinite(value.as_double()) ? go_json_float(value.as_double())
                                              : std::string(value.double_text());
      break;
    case Type::kString:
      write_json_string(value.as_string(), out);
      break;
    case Type::kNull:
    case Type::kArray:
    case Type::kObject:
      out += "null";
  }
}

// Writes the text between values: nothing in the compact form.
class Compact {
 public:
  explicit Compact(std::string& out) : out_(out) {}
  void line(std::size_t /*depth*/) {}
  void colon() { out_ += ':'; }

 private:
  std::string& out_;
};

class Pretty {
 public:
  explicit Pretty(std::string& out) : out_(out) {}
  void line(std::size_t depth) {
    out_ += '\n';
    out_.append(2 * depth, ' ');
  }
  void colon() { out_ += ": "; }

 private:
  std::string& out_;
};

template <typename Spacing>
void write(const Value& root, std::string& out) {
  struct Container {
    Value value;
    std::uint32_t next;
  };
  Spacing spacing(out);
  std::vector<Container> open;
  const auto begin = [&out, &open](const Value& value) {
    if (!value.is_array() && !value.is_object()) {
      write_scalar(value, out);
    } else if (value.size() == 0) {
      out += value.is_array() ? "[]" : "{}";
    } else {
      out += value.is_array() ? '[' : '{';
      open.push_back({value, 0});
    }
  };

  begin(root);
  while (!open.empty()) {
    const Value value = open.back().value;
    const std::uint32_t i = open.back().next++;
    if (i == value.size()) {
      open.pop_back();
      spacing.line(open.size());
      out += value.is_array() ? ']' : '}';
      continue;
    }
    if (i > 0) out += ',';
    spacing.line(open.size());
    if (value.is_array()) {
      begin(value.items()[i]);
    } else {
      const Member& member = value.members()[i];
      write_json_string(member.key, out);
      spacing.colon();
      begin(member.value);
    }
  }
}

// The length of the JSON string that `text` begins with, quotes included.
std::size_t string_length(std::string_view text) {
  std::size_t i = 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

}  // namespace

void write_json(const Value& value, std::string& out) { write<Compact>(value, out); }

void write_json_pretty(const Value& value, std::string& out) { write<Pretty>(value, out); }

void write_json_string(std::string_view text, std::string& out) {
  out += '"';
  const char* begin = text.data();
  const char* const end = begin + text.size();
  for (const char* next = begin; next != end; ++next) {
    if (!kSpecial[static_cast<unsigned char>(*next)]) continue;
    if (*next == '\xE2') {
      const bool is_separator = end - next >= 3 && next[1] == '\x80' && (next[2] & ~1) == '\xA8';
      if (!is_separator) continue;
      out.append(begin, next);
      out += next[2] == '\xA8' ? "\\u2028" : "\\u2029";
      next += 2;
    } else {
      out.append(begin, next);
      write_escape(*next, out);
    }
    begin = next + 1;
  }
  out.append(begin, end);
  out += '"';
}

void prettify_json(std::string_view compact, std::string& out) {
  Pretty spacing(out);
  std::size_t depth = 0;
  for (std::size_t i = 0; i < compact.size(); ++i) {
    const char c = compact[i];
    if (c == '"') {
      const std::size_t length = string_length(compact.substr(i));
      out += compact.substr(i, length);
      i += length - 1;
    } else if (c == '[' || c == '{') {
      out += c;
      const bool is_empty = i + 1 < compact.size() && compact[i + 1] == c + 2;  // ']' or '}'
      if (is_empty) {
        out += compact[++i];
      } else {
        spacing.line(++depth);
      }
    } else if (c == ']' || c == '}') {
      spacing.line(--depth);
      out += c;
    } else if (c == ',') {
      out += c;
      spacing.line(depth);
    } else if (c == ':') {
      spacing.colon();
    } else {
      out += c;
    }
  }
}

}  // namespace tabernetes::codec

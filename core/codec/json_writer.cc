// Writes members in the order of the tree, with an explicit stack instead of recursion. Tested by
// tests/core/codec/json_writer_test.cc, tests/fuzz/json_fuzz.cc.
#include "codec/json_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/algorithm/short_copy.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/text/utf8.h"
#include "json/escape.h"

namespace tabernetes::codec {
namespace {

using json::Member;
using json::Value;

// Bytes that are not simply copied. Bytes beyond ASCII may be U+2028, U+2029 or invalid UTF-8 (part
// of a hostile body in an error message).
constexpr std::array<bool, 256> make_special() {
  std::array<bool, 256> special{};
  for (int c = 0; c < 0x20; ++c) special[static_cast<std::size_t>(c)] = true;
  for (const unsigned char c : {'"', '\\', '<', '>', '&'}) special[c] = true;
  for (std::size_t c = 0x80; c < 256; ++c) special[c] = true;
  return special;
}
constexpr std::array<bool, 256> kSpecial = make_special();

// Returns a word with the high bit set in at least one special byte, or 0 if none of the eight
// bytes is special. A borrow can only mark a byte after a special one.
std::uint64_t special_bits(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHighBits = 0x8080808080808080;
  std::uint64_t found = word | (word - kOnes * 0x20);
  // '"' and '&', '<' and '>' differ in one bit.
  found |= ((word & ~(kOnes * 4)) ^ kOnes * '"') - kOnes;
  found |= ((word & ~(kOnes * 2)) ^ kOnes * '<') - kOnes;
  found |= (word ^ kOnes * '\\') - kOnes;
  return found & kHighBits;
}

// Copies eight bytes and returns their special bits.
std::uint64_t copy_word(const char* from, char* to) {
  std::uint64_t word;
  std::memcpy(&word, from, sizeof word);
  std::memcpy(to, &word, sizeof word);
  return special_bits(word);
}

// Copies a text; returns false if it contains a special byte.
bool copy_plain(std::string_view text, char* to) {
  std::uint64_t found = 0;
  if (text.size() >= 8) {
    const std::size_t last = text.size() - 8;
    for (std::size_t at = 0; at < last; at += 8) found |= copy_word(text.data() + at, to + at);
    found |= copy_word(text.data() + last, to + last);
  } else {
    for (const char c : text) {
      *to++ = c;
      found |= static_cast<std::uint64_t>(kSpecial[static_cast<unsigned char>(c)]);
    }
  }
  return found == 0;
}

// A small buffer in front of the output string.
class Output {
 public:
  explicit Output(std::string& out) : out_(out) {}
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void put(char c) {
    if (used_ == sizeof pieces_) flush();
    pieces_[used_++] = c;
  }
  void put(std::string_view text) {
    if (text.size() > sizeof pieces_ - used_) {
      flush();
      if (text.size() > sizeof pieces_) {
        out_ += text;
        return;
      }
    }
    short_copy(pieces_ + used_, text.data(), text.size());
    used_ += text.size();
  }
  // Writes a string that needs no escapes; returns false if it needs some or is too large.
  bool put_quoted(std::string_view text) {
    if (text.size() + 2 > sizeof pieces_ - used_) {
      if (text.size() + 2 > sizeof pieces_) return false;
      flush();
    }
    char* const place = pieces_ + used_;
    if (!copy_plain(text, place + 1)) return false;
    place[0] = place[text.size() + 1] = '"';
    used_ += text.size() + 2;
    return true;
  }
  void put(std::size_t count, char c) {
    while (count-- > 0) put(c);
  }

 private:
  void flush() {
    out_.append(pieces_, used_);
    used_ = 0;
  }

  std::string& out_;
  std::size_t used_ = 0;
  char pieces_[1024];
};

// Returns the position of the next special byte from `at` on, or text.size().
std::size_t find_special(std::string_view text, std::size_t at) {
  for (; text.size() - at >= 8; at += 8) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    if (special_bits(word) != 0) break;
  }
  while (at < text.size() && !kSpecial[static_cast<unsigned char>(text[at])]) ++at;
  return at;
}

void write_string(std::string_view text, Output& out) {
  if (out.put_quoted(text)) return;
  out.put('"');
  std::size_t begin = 0;
  for (std::size_t i = find_special(text, 0); i < text.size(); i = find_special(text, i + 1)) {
    if (static_cast<unsigned char>(text[i]) >= 0x80) {
      const Rune rune = decode_rune(text.substr(i));
      const bool separator = rune.value == 0x2028 || rune.value == 0x2029;
      if (rune.valid && !separator) {
        i += rune.size - 1;
        continue;
      }
      out.put(text.substr(begin, i - begin));
      out.put(!rune.valid ? "\\ufffd" : rune.value == 0x2028 ? "\\u2028" : "\\u2029");
      i += rune.size - 1;
    } else {
      out.put(text.substr(begin, i - begin));
      out.put(json::escape_of(text[i]).view());
    }
    begin = i + 1;
  }
  out.put(text.substr(begin));
  out.put('"');
}

void write_scalar(const Value& value, Floats floats, Output& out) {
  switch (value.type()) {
    case json::Type::kBool:
      return out.put(value.as_bool() ? "true" : "false");
    case json::Type::kInt: {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof digits, value.as_int()).ptr;
      return out.put({digits, static_cast<std::size_t>(end - digits)});
    }
    case json::Type::kDouble:
      // A number beyond the range of a double keeps its text; decoders reject it.
      if (std::isfinite(value.as_double()) &&
          (floats == Floats::kShortest || value.double_text().empty())) {
        return out.put(go_json_float(value.as_double()));
      }
      return out.put(value.double_text());
    case json::Type::kString:
      return write_string(value.as_string(), out);
    case json::Type::kNull:
    case json::Type::kArray:
    case json::Type::kObject:
      return out.put("null");
  }
}

// The text between values: none in the compact form.
class Compact {
 public:
  explicit Compact(Output& out) : out_(out) {}
  void line(std::size_t /*depth*/) {}
  void colon() { out_.put(':'); }

 private:
  Output& out_;
};

class Pretty {
 public:
  explicit Pretty(Output& out) : out_(out) {}
  void line(std::size_t depth) {
    out_.put('\n');
    out_.put(2 * depth, ' ');
  }
  void colon() { out_.put(": "); }

 private:
  Output& out_;
};

template <typename Spacing>
void write(const Value& root, Floats floats, Output& out) {
  struct Container {
    Value value;
    std::uint32_t next;
  };
  Spacing spacing(out);
  std::vector<Container> open;
  if (root.size() > 0) open.reserve(16);
  const auto begin = [&out, &open, floats](const Value& value) {
    if (!value.is_array() && !value.is_object()) {
      write_scalar(value, floats, out);
    } else if (value.size() == 0) {
      out.put(value.is_array() ? '[' : '{');
      out.put(value.is_array() ? ']' : '}');
    } else {
      out.put(value.is_array() ? '[' : '{');
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
      out.put(value.is_array() ? ']' : '}');
      continue;
    }
    if (i > 0) out.put(',');
    spacing.line(open.size());
    if (value.is_array()) {
      begin(value.items()[i]);
    } else {
      const Member& member = value.members()[i];
      write_string(member.key, out);
      spacing.colon();
      begin(member.value);
    }
  }
}

// Returns the length of the JSON string at the start of `text`, quotes included.
std::size_t string_length(std::string_view text) {
  std::size_t i = 1;
  while (i < text.size() && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
  return std::min(i + 1, text.size());
}

}  // namespace

void write_json(const Value& value, std::string& out, Floats floats) {
  Output output(out);
  write<Compact>(value, floats, output);
}

std::string json_text(const Value& value) {
  std::string text;
  write_json(value, text);
  return text;
}

std::string json_text(const Value* value) { return json_text(value == nullptr ? Value() : *value); }

void write_json_member(std::string_view name, const Value& value, std::string& out) {
  Output output(out);
  if (out.back() != '{') output.put(',');
  write_string(name, output);
  output.put(':');
  write<Compact>(value, Floats::kShortest, output);
}

void write_json_pretty(const Value& value, std::string& out) {
  Output output(out);
  write<Pretty>(value, Floats::kShortest, output);
}

void write_json_string(std::string_view text, std::string& out) {
  Output output(out);
  write_string(text, output);
}

void prettify_json(std::string_view compact, std::string& text, std::size_t depth) {
  Output out(text);
  Pretty spacing(out);
  for (std::size_t i = 0; i < compact.size(); ++i) {
    const char c = compact[i];
    if (c == '"') {
      const std::size_t length = string_length(compact.substr(i));
      out.put(compact.substr(i, length));
      i += length - 1;
    } else if (c == '[' || c == '{') {
      out.put(c);
      const bool is_empty = i + 1 < compact.size() && compact[i + 1] == c + 2;  // ']' or '}'
      if (is_empty) {
        out.put(compact[++i]);
      } else {
        spacing.line(++depth);
      }
    } else if (c == ']' || c == '}') {
      spacing.line(--depth);
      out.put(c);
    } else if (c == ',') {
      out.put(c);
      spacing.line(depth);
    } else if (c == ':') {
      spacing.colon();
    } else {
      out.put(c);
    }
  }
}

}  // namespace tabernetes::codec

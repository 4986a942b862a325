// A JSON scanner whose only product is an error message.
//
// Go's scanner is fed the text byte by byte and then one space. So a token cut off at the end is
// reported at that space ("invalid character ' ' in literal true (expecting 'e')"), and any other
// missing text is an "unexpected end of JSON input". Source: encoding/json, scanner.go, Go 1.24.
// Tested by tests/core/codec/json_reader_test.cc.
#include "codec/json_syntax.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace tabernetes::codec {
namespace {

// Returns a byte as Go prints it in messages: as a code point in single quotes.
std::string quoted(char c) {
  const auto byte = static_cast<unsigned char>(c);
  std::string out = "'";
  switch (c) {
    case '\'':
      out += "\\'";
      break;
    case '\\':
      out += "\\\\";
      break;
    case '\a':
      out += "\\a";
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
    case '\v':
      out += "\\v";
      break;
    default:
      if (byte < 0x20 || byte == 0x7F) {
        out += {'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
      } else if (byte < 0x7F) {
        out += c;
      } else if (byte <= 0xA0 || byte == 0xAD) {  // not printable: C1, no-break space, soft hyphen
        out += {'\\', 'u', '0', '0', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
      } else {
        out += {static_cast<char>(0xC0 | byte >> 6), static_cast<char>(0x80 | (byte & 0x3F))};
      }
  }
  return out + "'";
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::string error() {
    // After each value, continues the innermost open container.
    if (!value()) return std::move(error_);
    while (true) {
      skip_space();
      if (open_.empty()) break;
      if (!(open_.back() == '[' ? array_goes_on() : object_goes_on())) return std::move(error_);
    }
    if (!at_end()) fail("after top-level value");
    return std::move(error_);
  }

 private:
  bool at_end() const { return next_ == text_.size(); }
  bool sees(char c) const { return !at_end() && text_[next_] == c; }
  bool take(char c) {
    if (!sees(c)) return false;
    ++next_;
    return true;
  }
  void skip_space() {
    while (!at_end() && is_blank(text_[next_])) ++next_;
  }

  // Reports the next byte. Always returns false, for convenience of callers.
  bool fail(std::string_view context) {
    if (at_end()) {
      error_ = "unexpected end of JSON input";
      return false;
    }
    return blame(text_[next_], context);
  }
  bool fail_in_token(std::string_view context) {
    return blame(at_end() ? ' ' : text_[next_], context);
  }
  bool blame(char c, std::string_view context) {
    error_ = "invalid character " + quoted(c) + " " + std::string(context);
    return false;
  }

  // Opens containers until a scalar or an empty container is read.
  bool value() {
    while (true) {
      skip_space();
      if (sees('[')) {
        if (!open('[')) return false;
        skip_space();
        if (sees(']')) return true;  // array_goes_on() takes the bracket
      } else if (sees('{')) {
        if (!open('{')) return false;
        skip_space();
        if (sees('}')) return true;
        if (!key()) return false;
      } else {
        return scalar();
      }
    }
  }

  bool open(char bracket) {
    if (open_.size() == kMaxJsonDepth) return fail("exceeded max depth");
    open_.push_back(bracket);
    ++next_;
    return true;
  }

  bool array_goes_on() {
    if (take(']')) return open_.pop_back(), true;
    if (!take(',')) return fail("after array element");
    return value();
  }

  bool object_goes_on() {
    if (take('}')) return open_.pop_back(), true;
    if (!take(',')) return fail("after object key:value pair");
    return key() && value();
  }

  bool key() {
    skip_space();
    if (!sees('"')) return fail("looking for beginning of object key string");
    if (!string()) return false;
    skip_space();
    return take(':') || fail("after object key");
  }

  bool scalar() {
    if (sees('"')) return string();
    if (sees('-') || (!at_end() && is_digit(text_[next_]))) return number();
    for (const std::string_view word : {"true", "false", "null"}) {
      if (sees(word[0])) return literal(word);
    }
    return fail("looking for beginning of value");
  }

  bool literal(std::string_view word) {
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (take(word[i])) continue;
      return fail_in_token("in literal " + std::string(word) + " (expecting '" + word[i] + "')");
    }
    return true;
  }

  bool digits(std::string_view context) {
    if (at_end() || !is_digit(text_[next_])) return fail_in_token(context);
    while (!at_end() && is_digit(text_[next_])) ++next_;
    return true;
  }

  bool number() {
    take('-');
    if (!take('0') && !digits("in numeric literal")) return false;
    if (take('.') && !digits("after decimal point in numeric literal")) return false;
    if (!take('e') && !take('E')) return true;
    if (!take('+')) take('-');
    return digits("in exponent of numeric literal");
  }

  bool string() {
    take('"');
    while (!take('"')) {
      if (at_end()) return fail("in string literal");
      const auto byte = static_cast<unsigned char>(text_[next_]);
      if (byte < 0x20) return fail("in string literal");
      ++next_;
      if (byte == '\\' && !escape()) return false;
    }
    return true;
  }

  bool escape() {
    if (take('u')) {
      for (int i = 0; i < 4; ++i, ++next_) {
        if (at_end() || !is_hex(text_[next_])) {
          return fail_in_token("in \\u hexadecimal character escape");
        }
      }
      return true;
    }
    if (at_end() || std::string_view("bfnrt\\/\"").find(text_[next_]) == std::string_view::npos) {
      return fail_in_token("in string escape code");
    }
    ++next_;
    return true;
  }

  std::string_view text_;
  std::size_t next_ = 0;
  std::vector<char> open_;
  std::string error_;
};

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Returns the code unit of an escape \uXXXX at the start of `text`, or -1.
int code_unit(std::string_view text) {
  if (text.size() < 6 || text[0] != '\\' || text[1] != 'u') return -1;
  int unit = 0;
  for (const char c : text.substr(2, 4)) {
    if (!is_hex(c)) return -1;
    unit = unit * 16 + hex_value(c);
  }
  return unit;
}

}  // namespace

std::string json_syntax_error(std::string_view text) { return Scanner(text).error(); }

std::string repair_json_unicode(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  while (!text.empty()) {
    std::size_t taken = 1;
    if (text[0] == '\\') {
      const int unit = code_unit(text);
      const int following = unit < 0 ? -1 : code_unit(text.substr(6));
      const bool is_high = unit >= 0xD800 && unit < 0xDC00;
      const bool is_low = unit >= 0xDC00 && unit < 0xE000;
      if (is_high && following >= 0xDC00 && following < 0xE000) {
        taken = 12;
        out += text.substr(0, taken);
      } else if (is_high || is_low) {
        taken = 6;
        out += kReplacement;
      } else {
        taken = 2;
        out += text.substr(0, taken);
      }
    } else {
      const Rune rune = decode_rune(text);
      taken = rune.size;
      out += rune.valid ? text.substr(0, taken) : kReplacement;
    }
    text.remove_prefix(std::min(taken, text.size()));
  }
  return out;
}

}  // namespace tabernetes::codec

#include "cel/lexer.h"

#include <algorithm>

#include "base/go/text.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace tabernetes::cel {
namespace {

bool begins_identifier(char c) { return is_letter(c) || c == '_'; }

class Lexer {
 public:
  Lexer(std::string_view source, Issues& issues) : source_(source), issues_(issues) {}

  std::vector<Token> read() {
    while (skip_space(), at_ < source_.size()) {
      const std::size_t begin = at_;
      const TokenKind kind = next();
      if (at_ > begin) {
        add(kind, begin);
      } else {
        refuse();
      }
    }
    tokens_.push_back({TokenKind::kEnd, static_cast<std::uint32_t>(at_), "<EOF>"});
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }

  void skip_space() {
    while (at_ < source_.size()) {
      if (std::string_view("\t \r\n\f").find(peek()) != std::string_view::npos) {
        ++at_;
      } else if (source_.substr(at_).starts_with("//")) {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else {
        return;
      }
    }
  }

  void add(TokenKind kind, std::size_t begin) {
    const std::string_view text = source_.substr(begin, at_ - begin);
    if (kind == TokenKind::kIdentifier &&
        (text == "true" || text == "false" || text == "null" || text == "in")) {
      kind = TokenKind::kKeyword;
    }
    tokens_.push_back({kind, static_cast<std::uint32_t>(begin), text});
  }

  // Reads a token and returns its kind; at_ does not move if there is none.
  TokenKind next() {
    if (read_string()) return bytes_ ? TokenKind::kBytes : TokenKind::kString;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return read_number();
    if (begins_identifier(peek())) {
      while (is_word_character(peek())) ++at_;
      return TokenKind::kIdentifier;
    }
    if (peek() == '`') return read_escaped_identifier();
    for (const std::string_view mark : {"==", "!=", "<=", ">=", "&&", "||"}) {
      if (source_.substr(at_).starts_with(mark)) return at_ += 2, TokenKind::kMark;
    }
    constexpr std::string_view kMarks = "<>[]{}().,-!?:+*/%";
    if (kMarks.find(peek()) != kMarks.npos) ++at_;
    return TokenKind::kMark;
  }

  TokenKind read_escaped_identifier() {
    std::size_t end = at_ + 1;
    while (end < source_.size() &&
           (is_word_character(source_[end]) ||
            std::string_view("./- ").find(source_[end]) != std::string_view::npos)) {
      ++end;
    }
    if (end > at_ + 1 && end < source_.size() && source_[end] == '`') at_ = end + 1;
    return TokenKind::kEscapedIdentifier;
  }

  void skip_digits() {
    while (is_digit(peek())) ++at_;
  }

  TokenKind read_number() {
    TokenKind kind = TokenKind::kInt;
    if (peek() == '0' && peek(1) == 'x' && is_hex(peek(2))) {
      at_ += 2;
      while (is_hex(peek())) ++at_;
    } else {
      skip_digits();
      if (peek() == '.' && is_digit(peek(1))) {
        kind = TokenKind::kFloat;
        ++at_;
        skip_digits();
      }
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 2 : 1;
      if ((peek() == 'e' || peek() == 'E') && is_digit(peek(sign))) {
        kind = TokenKind::kFloat;
        at_ += sign;
        skip_digits();
      }
    }
    if (kind == TokenKind::kInt && (peek() == 'u' || peek() == 'U')) {
      ++at_;
      kind = TokenKind::kUint;
    }
    return kind;
  }

  // Reads [bB]?[rR]? and a quoted text.
  bool read_string() {
    std::size_t at = at_;
    const auto is = [&](char c) { return at < source_.size() && (source_[at] | 0x20) == c; };
    bytes_ = is('b');
    at += bytes_ ? 1 : 0;
    const bool raw = is('r');
    at += raw ? 1 : 0;
    const std::string_view rest = source_.substr(std::min(at, source_.size()));
    if (!rest.starts_with('"') && !rest.starts_with('\'')) return false;
    const std::string_view triple = rest[0] == '"' ? "\"\"\"" : "'''";
    const std::size_t length =
        rest.starts_with(triple) ? quoted(rest, triple, raw) : quoted(rest, rest.substr(0, 1), raw);
    // Three quotes may also be an empty text and the start of another.
    const std::size_t end = length > 0 ? length : quoted(rest, rest.substr(0, 1), raw);
    if (end == 0) return false;
    at_ = at + end;
    return true;
  }

  // Returns the length of a text in `quote` including its quotes; 0 if it is not terminated.
  static std::size_t quoted(std::string_view text, std::string_view quote, bool raw) {
    for (std::size_t at = quote.size(); at < text.size();) {
      if (text.substr(at).starts_with(quote)) return at + quote.size();
      if (quote.size() == 1 && (text[at] == '\n' || text[at] == '\r')) return 0;
      const std::size_t step = text[at] == '\\' && !raw ? escape_size(text.substr(at)) : 1;
      if (step == 0) return 0;
      at += step;
    }
    return 0;
  }

  // Returns the length of the escape at the start of `text`; 0 if it is invalid.
  static std::size_t escape_size(std::string_view text) {
    const char c = text.size() > 1 ? text[1] : '\0';
    std::size_t digits = 0;
    if (std::string_view("abfnrtv\"'\\?`").find(c) != std::string_view::npos && c != '\0') return 2;
    if (c >= '0' && c <= '3') {
      const bool octal = text.size() > 3 && is_octal(text[2]) && is_octal(text[3]);
      return octal ? 4 : 0;
    }
    digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    if (digits == 0 || text.size() < 2 + digits) return 0;
    for (std::size_t i = 2; i < 2 + digits; ++i) {
      if (!is_hex(text[i])) return 0;
    }
    return 2 + digits;
  }

  // Returns the length of the invalid escape, up to its first bad character.
  static std::size_t broken_escape(std::string_view text) {
    std::size_t size = 2;
    const char c = text.size() > 1 ? text[1] : ' ';
    const std::size_t digits = c == 'x' || c == 'X' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
    while (size - 2 < digits && size < text.size() && is_hex(text[size])) ++size;
    return digits > 0 ? size + 1 : size;
  }

  // Reports text that begins no token, as far as cel-go's lexer reads to find that out.
  void refuse() {
    const std::size_t begin = at_;
    std::size_t end = begin + 1;
    const char c = source_[begin];
    if (c == '"' || c == '\'') {
      while (end < source_.size() && source_[end] != '\n' && source_[end] != '\r') {
        if (source_[end] != '\\') {
          ++end;
          continue;
        }
        const std::size_t step = escape_size(source_.substr(end));
        if (step == 0) {
          end = std::min(end + broken_escape(source_.substr(end)), source_.size());
          break;
        }
        end += step;
      }
      if (end < source_.size() && (source_[end] == '\n' || source_[end] == '\r')) ++end;
    } else {
      end = begin + decode_rune(source_.substr(begin)).size;
      if ((c == '&' || c == '|' || c == '=') && end < source_.size()) {
        end += decode_rune(source_.substr(end)).size;
      }
    }
    const std::string text(source_.substr(begin, end - begin));
    issues_.report(static_cast<std::uint32_t>(begin),
                   "Syntax error: token recognition error at: '" + text + "'");
    at_ = end;
  }

  std::string_view source_;
  Issues& issues_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  bool bytes_ = false;
};

constexpr std::string_view kEscapeNames = "abfnrtv\\'\"`?";
constexpr std::string_view kEscapeValues = "\a\b\f\n\r\t\v\\'\"`?";

// Decodes the escape at the start of `rest`, which follows a backslash.
bool read_escape(std::string_view& rest, bool bytes, std::string& out, std::string_view& error) {
  error = "unable to unescape string";
  const char c = rest[0];
  rest.remove_prefix(1);
  if (const std::size_t known = kEscapeNames.find(c); known != kEscapeNames.npos) {
    out += kEscapeValues[known];
    return true;
  }
  const bool octal = c >= '0' && c <= '3';
  if (bytes && (c == 'u' || c == 'U')) return false;
  const std::size_t digits = octal ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 2;
  char32_t value = octal ? static_cast<char32_t>(c - '0') : 0;
  for (std::size_t i = 0; i < digits && i < rest.size(); ++i) {
    value = value * (octal ? 8 : 16) + static_cast<char32_t>(hex_value(rest[i]));
  }
  rest.remove_prefix(std::min(digits, rest.size()));
  if (bytes) {
    out += static_cast<char>(value);
    return true;
  }
  error = "invalid unicode code point";
  if (value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return false;
  append_rune(value, out);
  return true;
}

}  // namespace

std::vector<Token> read_tokens(std::string_view source, Issues& issues) {
  return Lexer(source, issues).read();
}

bool unescape_literal(std::string_view literal, bool bytes, std::string& text,
                      std::string_view& error) {
  const bool raw = (literal[0] | 0x20) == 'r';
  if (raw) literal.remove_prefix(1);
  const std::size_t quotes =
      literal.size() >= 6 && literal[1] == literal[0] && literal[2] == literal[0] ? 3 : 1;
  std::string_view rest = literal.substr(quotes, literal.size() - 2 * quotes);
  while (!rest.empty()) {
    const char c = rest[0];
    rest.remove_prefix(1);
    if (c == '\r') {  // line ends become \n
      if (!rest.starts_with('\n')) text += '\n';
    } else if (c != '\\' || raw) {
      text += c;
    } else if (!read_escape(rest, bytes, text, error)) {
      return false;
    }
  }
  return true;
}

}  // namespace tabernetes::cel

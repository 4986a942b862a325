#include "base/go/text.h"

#include <limits>
#include <set>

#include "base/text/ascii.h"
#include "base/text/parts.h"
#include "base/text/utf8.h"

namespace tabernetes {
namespace {

// Like unicode.IsSpace.
bool is_space(char32_t rune) {
  if (rune < 0x80) return rune == ' ' || (rune >= '\t' && rune <= '\r');
  return rune == 0x85 || rune == 0xa0 || rune == 0x1680 || (rune >= 0x2000 && rune <= 0x200a) ||
         rune == 0x2028 || rune == 0x2029 || rune == 0x202f || rune == 0x205f || rune == 0x3000;
}

void append_hex(std::string& out, std::string_view prefix, char32_t value, int digits) {
  out += prefix;
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
    out += kHexDigits[(value >> shift) & 15];
  }
}

// Returns the letter after the backslash, or 0.
char short_escape(char32_t rune) {
  switch (rune) {
    case '\a':
      return 'a';
    case '\b':
      return 'b';
    case '\f':
      return 'f';
    case '\n':
      return 'n';
    case '\r':
      return 'r';
    case '\t':
      return 't';
    case '\v':
      return 'v';
    case '"':
    case '\\':
      return static_cast<char>(rune);
    default:
      return 0;
  }
}

std::string parse_error(std::string_view function, std::string_view text, std::string_view what) {
  std::string error = "strconv.";
  error.append(function).append(": parsing ").append(go_quote(text)).append(": ").append(what);
  return error;
}

enum class Digits { kValid, kSyntax, kRange };

// Parses decimal digits into `value`, which saturates at the largest number.
Digits read_digits(std::string_view digits, std::uint64_t& value) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  value = 0;
  if (digits.empty()) return Digits::kSyntax;
  bool overflow = false;
  for (const char c : digits) {
    if (c < '0' || c > '9') return Digits::kSyntax;
    const std::uint64_t digit = static_cast<std::uint64_t>(c - '0');
    overflow = overflow || value > (kMax - digit) / 10;
    value = overflow ? kMax : value * 10 + digit;
  }
  return overflow ? Digits::kRange : Digits::kValid;
}

}  // namespace

bool go_is_printable(char32_t rune) {
  struct Span {
    char32_t first, last;
  };
  static constexpr Span kHidden[] = {
      {0x7f, 0xa0},       {0xad, 0xad},       {0x600, 0x605},     {0x61c, 0x61c},
      {0x6dd, 0x6dd},     {0x70f, 0x70f},     {0x890, 0x891},     {0x8e2, 0x8e2},
      {0x1680, 0x1680},   {0x180e, 0x180e},   {0x2000, 0x200f},   {0x2028, 0x202f},
      {0x205f, 0x206f},   {0x3000, 0x3000},   {0xd800, 0xf8ff},   {0xfeff, 0xfeff},
      {0xfff0, 0xfffb},   {0xfffe, 0xffff},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd},
      {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff},
      {0xe01f0, 0x10ffff}};
  if (rune < 0x20) return false;
  for (const Span& span : kHidden) {
    if (rune >= span.first && rune <= span.last) return false;
  }
  return true;
}

std::string go_quote(std::string_view text) {
  std::string out = "\"";
  out.reserve(text.size() + 2);
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    const std::string_view bytes = text.substr(0, rune.size);
    text.remove_prefix(rune.size);
    if (!rune.valid) {
      append_hex(out, "\\x", static_cast<unsigned char>(bytes.front()), 2);
    } else if (const char letter = short_escape(rune.value)) {
      out += '\\';
      out += letter;
    } else if (go_is_printable(rune.value)) {
      out += bytes;
    } else if (rune.value < 0x80) {
      append_hex(out, "\\x", rune.value, 2);
    } else if (rune.value < 0x10000) {
      append_hex(out, "\\u", rune.value, 4);
    } else {
      append_hex(out, "\\U", rune.value, 8);
    }
  }
  out += '"';
  return out;
}

GoParsedUint go_parse_uint(std::string_view text) {
  GoParsedUint result;
  switch (read_digits(text, result.value)) {
    case Digits::kValid:
      break;
    case Digits::kSyntax:
      return {0, parse_error("ParseUint", text, "invalid syntax")};
    case Digits::kRange:
      result.error = parse_error("ParseUint", text, "value out of range");
  }
  return result;
}

GoParsedInt go_parse_int(std::string_view text) {
  constexpr std::uint64_t kMax = std::numeric_limits<std::int64_t>::max();
  std::string_view digits = text;
  const bool negative = !digits.empty() && digits.front() == '-';
  if (!digits.empty() && (digits.front() == '-' || digits.front() == '+')) digits.remove_prefix(1);
  std::uint64_t magnitude = 0;
  const Digits read = read_digits(digits, magnitude);
  if (read == Digits::kSyntax) return {0, parse_error("ParseInt", text, "invalid syntax")};
  const std::uint64_t limit = negative ? kMax + 1 : kMax;
  GoParsedInt result;
  if (magnitude > limit) {
    magnitude = limit;
    result.error = parse_error("ParseInt", text, "value out of range");
  }
  result.value = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
  return result;
}

std::string_view go_trim_space(std::string_view text) {
  std::size_t begin = text.size(), end = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Rune rune = decode_rune(text.substr(at));
    const bool space = rune.valid && is_space(rune.value);
    if (!space && begin > at) begin = at;
    at += rune.size;
    if (!space) end = at;
  }
  return begin < end ? text.substr(begin, end - begin) : std::string_view();
}

std::string go_aggregate(const std::vector<std::string>& errors) {
  std::set<std::string_view> seen;
  std::string text;
  for (const std::string& error : errors) {
    if (seen.insert(error).second) append_part(text, error, ", ");
  }
  return seen.size() > 1 ? "[" + text + "]" : text;
}

}  // namespace tabernetes

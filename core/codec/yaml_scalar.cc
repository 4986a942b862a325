// Source: go-yaml v2 resolve.go and the parts of strconv it calls; spec/rest.md 5.14.
// Tested by tests/core/codec/yaml_reader_test.cc.
#include "codec/yaml_scalar.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/numbers/parse_float.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace tabernetes::codec {
namespace {

using Kind = YamlScalar::Kind;

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

YamlScalar make_bool(bool value) { return {.kind = Kind::kBool, .boolean = value}; }
YamlScalar make_float(double value) { return {.kind = Kind::kFloat, .real = value}; }

std::optional<YamlScalar> resolve_word(std::string_view text) {
  if (text.size() > std::string_view("false").size()) return std::nullopt;
  if (is_one_of(text, {"", "~", "null", "Null", "NULL"})) return YamlScalar{.kind = Kind::kNull};
  if (is_one_of(text, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) {
    return make_bool(true);
  }
  if (is_one_of(text,
                {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) {
    return make_bool(false);
  }
  if (is_one_of(text, {".nan", ".NaN", ".NAN"})) {
    return make_float(std::numeric_limits<double>::quiet_NaN());
  }
  if (is_one_of(text, {".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"})) {
    return make_float(std::numeric_limits<double>::infinity());
  }
  if (is_one_of(text, {"-.inf", "-.Inf", "-.INF"})) {
    return make_float(-std::numeric_limits<double>::infinity());
  }
  return std::nullopt;
}

// Parses `text` as digits of `base`, up to 64 bits.
std::optional<std::uint64_t> parse_digits(std::string_view text, unsigned base) {
  if (text.empty()) return std::nullopt;
  std::uint64_t value = 0;
  for (const char c : text) {
    const auto digit = static_cast<unsigned>(hex_value(c));  // more than any base if it is none
    if (digit >= base) return std::nullopt;
    if (value > (UINT64_MAX - digit) / base) return std::nullopt;
    value = value * base + digit;
  }
  return value;
}

std::optional<YamlScalar> signed_integer(std::uint64_t magnitude, bool negative) {
  if (magnitude > (std::uint64_t{1} << 63) - (negative ? 0 : 1)) return std::nullopt;
  return YamlScalar{.kind = Kind::kInt,
                    .integer = static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude)};
}

// Parses like strconv.ParseInt, then ParseUint, with base 0: the prefix determines the base.
std::optional<YamlScalar> parse_integer(std::string_view text) {
  const bool is_signed = text[0] == '-' || text[0] == '+';
  std::string_view digits = text.substr(is_signed ? 1 : 0);
  unsigned base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 8;
    const bool has_letter = letter == 'x' || letter == 'o' || letter == 'b';
    digits.remove_prefix(has_letter ? 2 : 1);
  }
  const auto magnitude = parse_digits(digits, base);
  if (!magnitude) return std::nullopt;
  if (auto value = signed_integer(*magnitude, text[0] == '-')) return value;
  if (is_signed) return std::nullopt;
  return YamlScalar{.kind = Kind::kUint, .natural = *magnitude};
}

// Parses 0b-11 as -3; the base-0 forms above have no sign after 0b.
std::optional<YamlScalar> parse_signed_binary(std::string_view text) {
  if (!text.starts_with("0b")) return std::nullopt;
  text.remove_prefix(2);
  if (text.empty() || (text[0] != '-' && text[0] != '+')) return std::nullopt;
  const auto magnitude = parse_digits(text.substr(1), 2);
  return magnitude ? signed_integer(*magnitude, text[0] == '-') : std::nullopt;
}

// Returns nullopt beyond the range of a double.
std::optional<YamlScalar> parse_real(std::string_view text) {
  const std::optional<double> value = parse_float(text);
  return value && !std::isinf(*value) ? std::optional(make_float(*value)) : std::nullopt;
}

// Removes underscores; returns nullopt if one is not between two digits.
std::optional<std::string> without_separators(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      plain += text[i];
    } else if (i == 0 || !is_digit(text[i - 1]) || i + 1 == text.size() || !is_digit(text[i + 1])) {
      return std::nullopt;
    }
  }
  return plain;
}

// Decodes standard base64 with padding, ignoring line breaks.
std::optional<std::string> decode_base64(std::string_view text) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0, padding = 0;
  for (const char c : text) {
    if (c == '\n' || c == '\r') continue;
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const std::size_t value = kAlphabet.find(c);
    if (c == '=') {
      if (++padding > 2 || count < 2) return std::nullopt;
    } else if (value == std::string_view::npos || padding > 0) {
      return std::nullopt;
    }
    bits = bits << 6 | (c == '=' ? 0 : static_cast<std::uint32_t>(value));
    if (++count == 4) {
      for (int i = 0; i < 3 - padding; ++i) out += static_cast<char>(bits >> (16 - 8 * i));
      bits = 0;
      count = 0;
      if (padding > 0) padding = 3;  // nothing may follow
    }
  }
  return count == 0 ? std::optional(out) : std::nullopt;
}

// Replaces invalid UTF-8 by U+FFFD, as JSON would show it.
std::string_view valid_utf8(std::string_view text, json::Arena& arena) {
  if (is_valid_utf8(text)) return arena.copy(text);
  std::string out;
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    out += rune.valid ? text.substr(0, rune.size) : "\xEF\xBF\xBD";
    text.remove_prefix(rune.size);
  }
  return arena.copy(out);
}

// Returns the tag of a resolved scalar; timestamps are recognised only if wanted.
std::string_view tag_of(const YamlScalar& scalar, std::string_view text, std::string_view wanted) {
  switch (scalar.kind) {
    case Kind::kNull:
      return "null";
    case Kind::kBool:
      return "bool";
    case Kind::kInt:
    case Kind::kUint:
      return "int";
    case Kind::kFloat:
      return "float";
    case Kind::kString:
      return wanted == "timestamp" && is_yaml_timestamp(text) ? "timestamp" : "str";
  }
  return {};
}

}  // namespace

YamlScalar resolve_yaml_scalar(std::string_view text) {
  if (const auto word = resolve_word(text)) return *word;
  const auto number = [](std::string_view digits) -> std::optional<YamlScalar> {
    if (auto integer = parse_integer(digits)) return integer;
    if (auto real = parse_real(digits)) return real;
    return parse_signed_binary(digits);
  };
  if (text[0] == '.') {
    if (const auto plain = without_separators(text)) {
      if (const auto real = parse_real(*plain)) return *real;
    }
  } else if (is_digit(text[0]) || text[0] == '+' || text[0] == '-') {
    std::string plain(text);
    plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
    if (const auto value = number(plain)) return *value;
  }
  return {};
}

YamlResolution resolve_yaml_tagged(std::string_view tag, std::string_view text,
                                   json::Arena& arena) {
  YamlResolution result{resolve_yaml_scalar(text), text, {}};
  if (tag.empty()) return result;
  const YamlScalar string{};
  std::string_view name = tag;
  if (name.starts_with(kYamlTagPrefix)) name.remove_prefix(kYamlTagPrefix.size());
  const bool is_standard = name.size() < tag.size();
  if (is_standard && name == "binary") {
    result.scalar = string;
    const auto bytes = decode_base64(text);
    if (bytes) {
      result.text = valid_utf8(*bytes, arena);
    } else {
      result.error = "!!binary value contains invalid base64 data";
    }
    return result;
  }
  if (!is_standard || !is_one_of(name, {"bool", "int", "float", "null", "timestamp"})) {
    result.scalar = string;  // !!str, and tags without a meaning here
    return result;
  }
  const std::string_view found = tag_of(result.scalar, text, name);
  if (name == found) return result;
  if (name == "float" && result.scalar.kind == Kind::kInt) {
    result.scalar = make_float(static_cast<double>(result.scalar.integer));
    return result;
  }
  result.error = "cannot decode !!" + std::string(found) + " `" + std::string(text) + "` as a !!" +
                 std::string(name);
  return result;
}

}  // namespace tabernetes::codec

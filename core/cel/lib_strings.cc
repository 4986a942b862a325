// String functions: CEL's own and its extension `strings`, version 2. Indexes count characters.
// Source: cel-go 0.26 ext/strings.go.
#include <algorithm>

#include "base/go/text.h"
#include "base/text/utf8.h"
#include "cel/evaluator.h"
#include "cel/print.h"

namespace tabernetes::cel {
namespace {

using F = Function;

// Returns the offset of the character at index `place`, the end for the index after the last one,
// or kNone.
constexpr std::size_t kNone = std::string_view::npos;
std::size_t byte_of(std::string_view text, std::int64_t place) {
  if (place < 0) return kNone;
  std::size_t at = 0;
  for (; place > 0; --place) {
    if (at >= text.size()) return kNone;
    at += decode_rune(text.substr(at)).size;
  }
  return at;
}

Value out_of_range(const Call& call, std::int64_t place) {
  return call.error("index out of range: " + std::to_string(place));
}

Value char_at(const Call& call) {
  const std::int64_t place = call.args[1].integer;
  const std::size_t at = byte_of(call.text(0), place);
  if (at == kNone) return out_of_range(call, place);
  const std::string_view rest = call.text(0).substr(at);
  return make_string(rest.empty() ? rest : rest.substr(0, decode_rune(rest).size));
}

Value characters_before(std::string_view text, std::size_t byte) {
  if (byte == kNone) return make_int(-1);
  return make_int(static_cast<std::int64_t>(count_runes(text.substr(0, byte))));
}

Value index_in_text(const Call& call) {
  const std::string_view text = call.text(0);
  const std::string_view wanted = call.text(1);
  const std::int64_t from = call.count == 3 ? call.args[2].integer : 0;
  if (wanted.empty()) return make_int(from);
  if (from < 0) return out_of_range(call, from);
  const std::size_t at = byte_of(text, from);
  return at == kNone ? make_int(-1) : characters_before(text, text.find(wanted, at));
}

Value last_index_of(const Call& call) {
  const std::string_view text = call.text(0);
  const std::string_view wanted = call.text(1);
  const auto size = static_cast<std::int64_t>(count_runes(text));
  if (call.count == 2) {
    if (wanted.empty()) return make_int(size);
    return characters_before(text, text.rfind(wanted));
  }
  const std::int64_t from = call.args[2].integer;
  if (wanted.empty()) return make_int(from);
  if (from < 0) return out_of_range(call, from);
  if (from >= size) return make_int(-1);
  return characters_before(text, text.rfind(wanted, byte_of(text, from)));
}

Value substring(const Call& call) {
  const std::string_view text = call.text(0);
  const std::int64_t from = call.args[1].integer;
  const std::size_t begin = byte_of(text, from);
  if (call.count == 2) {
    return begin == kNone ? out_of_range(call, from) : make_string(text.substr(begin));
  }
  const std::int64_t to = call.args[2].integer;
  if (from > to) {
    return call.error("invalid substring range. start: " + std::to_string(from) +
                      ", end: " + std::to_string(to));
  }
  const std::size_t end = byte_of(text, to);
  if (begin == kNone) return out_of_range(call, from);
  if (end == kNone) return out_of_range(call, to);
  return make_string(text.substr(begin, end - begin));
}

// Changes the case of ASCII letters; `from` is the first letter of the case to change.
Value changed_case(const Call& call, char from) {
  std::string text(call.text(0));
  for (char& c : text) {
    if (c >= from && c <= from + 25) c = static_cast<char>(c ^ 0x20);
  }
  return call.string(text);
}

Value replace(const Call& call) {
  std::string_view rest = call.text(0);
  const std::string_view old = call.text(1);
  std::int64_t left = call.count == 4 ? call.args[3].integer : -1;
  std::string out;
  for (bool first = true; left != 0; first = false, --left) {
    std::size_t at = rest.find(old);
    if (old.empty() && !first) {  // matches between all characters and at both ends
      if (rest.empty()) break;
      at = decode_rune(rest).size;
    }
    if (at == kNone) break;
    out.append(rest.substr(0, at)).append(call.text(2));
    rest.remove_prefix(at + old.size());
  }
  return call.string(out.append(rest));
}

Value split(const Call& call) {
  std::string_view rest = call.text(0);
  const std::string_view mark = call.text(1);
  std::int64_t left = call.count == 3 ? call.args[2].integer : -1;
  Value parts = make_list(call.arena);
  if (left == 0) return parts;
  if (mark.empty() && rest.empty()) return parts;
  while (left != 1) {
    const std::size_t at = mark.empty() ? decode_rune(rest).size : rest.find(mark);
    if (at == kNone || (mark.empty() && at >= rest.size())) break;
    list_append(parts, make_string(rest.substr(0, at)), call.arena);
    rest.remove_prefix(at + mark.size());
    --left;
  }
  list_append(parts, make_string(rest), call.arena);
  return parts;
}

Value join(const Call& call) {
  std::string out;
  for (std::uint32_t i = 0; i < list_size(call.args[0]); ++i) {
    const Value item = list_item(call.args[0], i, call.arena);
    if (!item.is(Kind::kString)) return call.error("join: invalid input: " + print_value(item));
    if (i > 0 && call.count == 2) out += call.text(1);
    out += item.view();
  }
  return call.string(out);
}

Value quote(const Call& call) {
  constexpr std::string_view kMarks = "\a\b\f\n\r\t\v\\\"";
  constexpr std::string_view kLetters = "abfnrtv\\\"";
  std::string out = "\"";
  for (std::string_view rest = call.text(0); !rest.empty();) {
    const Rune rune = decode_rune(rest);
    const std::size_t mark = kMarks.find(rest[0]);
    if (mark != kNone) {
      out.append("\\") += kLetters[mark];
    } else {
      append_rune(rune.value, out);
    }
    rest.remove_prefix(rune.size);
  }
  return call.string(out + "\"");
}

// Escapes a key for a JSON pointer.
Value escape_key(const Call& call) {
  std::string out;
  for (const char c : call.text(0)) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return call.string(out);
}

}  // namespace

Value call_string(const Call& call) {
  switch (call.function) {
    case F::kContains:
      if (!call.is("ss")) break;
      return make_bool(call.text(0).find(call.text(1)) != kNone);
    case F::kStartsWith:
      if (!call.is("ss")) break;
      return make_bool(call.text(0).starts_with(call.text(1)));
    case F::kEndsWith:
      if (!call.is("ss")) break;
      return make_bool(call.text(0).ends_with(call.text(1)));
    case F::kSize:
      if (!call.is("s") && !call.is("y")) break;
      return make_int(static_cast<std::int64_t>(value_size(call.args[0])));
    case F::kCharAt:
      return call.is("si") ? char_at(call) : not_mine();
    case F::kIndexOf:
      return call.is("ss") || call.is("ssi") ? index_in_text(call) : not_mine();
    case F::kLastIndexOf:
      return call.is("ss") || call.is("ssi") ? last_index_of(call) : not_mine();
    case F::kSubstring:
      return call.is("si") || call.is("sii") ? substring(call) : not_mine();
    case F::kLowerAscii:
      return call.is("s") ? changed_case(call, 'A') : not_mine();
    case F::kUpperAscii:
      return call.is("s") ? changed_case(call, 'a') : not_mine();
    case F::kReplace:
      return call.is("sss") || call.is("sssi") ? replace(call) : not_mine();
    case F::kSplit:
      return call.is("ss") || call.is("ssi") ? split(call) : not_mine();
    case F::kJoin:
      return call.is("l") || call.is("ls") ? join(call) : not_mine();
    case F::kTrim:
      return call.is("s") ? make_string(go_trim_space(call.text(0))) : not_mine();
    case F::kJsonpatchEscapeKey:
      return call.is("s") ? escape_key(call) : not_mine();
    case F::kStringsQuote:
      return call.is("s") ? quote(call) : not_mine();
    case F::kFormat:
      return call.is("sl") ? format_text(call) : not_mine();
    default:
      break;
  }
  return not_mine();
}

}  // namespace tabernetes::cel

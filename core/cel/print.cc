#include "cel/print.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/algorithm/sort.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace tabernetes::cel {
namespace {

// Rounds digits whose decimal point is at `point`, half to even as Go does with the exact value
// (here: with the shortest digits, which differ only in ties).
void round_digits(std::string& digits, int& point, int keep) {
  if (keep < 0 || static_cast<std::size_t>(keep) >= digits.size()) {
    if (keep < 0) digits.clear();
    return;
  }
  const auto at = static_cast<std::size_t>(keep);
  const bool exact = digits.size() == at + 1 && digits[at] == '5';
  const bool up = exact ? at > 0 && (digits[at - 1] - '0') % 2 == 1 : digits[at] >= '5';
  digits.resize(at);
  if (!up) return;
  for (std::size_t i = at; i-- > 0;) {
    if (digits[i] != '9') {
      ++digits[i];
      return;
    }
    digits[i] = '0';
  }
  digits.insert(0, 1, '1');
  ++point;
}

std::string special_double(double value) {
  return std::isnan(value) ? "NaN" : value > 0 ? "∞" : "-∞";
}

// Formats like %.Nf.
std::string fixed(double value, int precision) {
  FloatDigits parts = shortest_digits(value);
  round_digits(parts.digits, parts.point, parts.point + precision);
  std::string out = parts.negative ? "-" : "";
  const auto digit = [&](int i) {
    return i >= 0 && static_cast<std::size_t>(i) < parts.digits.size()
               ? parts.digits[static_cast<std::size_t>(i)]
               : '0';
  };
  for (int i = std::min(parts.point - 1, 0); i < parts.point; ++i) out += digit(i);
  if (parts.point <= 0 && out.find_first_of("0123456789") == std::string::npos) out += '0';
  if (precision > 0) out += '.';
  for (int i = 0; i < precision; ++i) out += digit(parts.point + i);
  return out;
}

// Formats like %.Ne, but with a multiplication sign and a power, as Go's text/message prints it.
std::string scientific(double value, int precision) {
  FloatDigits parts = shortest_digits(value);
  round_digits(parts.digits, parts.point, 1 + precision);
  parts.digits.resize(static_cast<std::size_t>(1 + precision), '0');
  const int exponent = value == 0 ? 0 : parts.point - 1;
  std::string out = parts.negative ? "-" : "";
  out += parts.digits[0];
  if (precision > 0) out += "." + parts.digits.substr(1);
  std::string power = std::to_string(std::abs(exponent));
  if (power.size() < 2) power.insert(0, 1, '0');
  out += "×10";
  const auto raise = [&](char c) {
    constexpr std::string_view kPowers[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    out += kPowers[c - '0'];
  };
  if (exponent < 0) out += "⁻";
  for (const char c : power) raise(c);
  return out;
}

std::string in_base(std::uint64_t number, unsigned base, bool upper) {
  std::string out;
  do {
    out.insert(out.begin(), (upper ? kUpperHexDigits : kHexDigits)[number % base]);
    number /= base;
  } while (number > 0);
  return out;
}

class Formatter {
 public:
  Formatter(const Value& list, json::Arena& arena) : list_(list), arena_(arena) {}

  // The types of the arguments, if their values are not known yet.
  const Expr* types = nullptr;

  bool format(std::string_view text) {
    for (std::size_t at = 0; at < text.size() && error_.empty();) {
      if (text[at] != '%') {
        out_ += text[at++];
      } else if (text.substr(at).starts_with("%%")) {
        out_ += '%';
        at += 2;
      } else {
        at = clause(text, at + 1);
      }
    }
    return error_.empty();
  }

  const std::string& out() const { return out_; }
  const std::string& error() const { return error_; }
  // Return the number of arguments used, and whether the last of them is wrong.
  std::uint32_t used() const { return next_; }
  bool blames_argument() const { return blames_argument_; }

 private:
  std::size_t fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
    return std::string_view::npos;
  }

  // Formats the next argument by the clause after the '%'; returns the offset after the clause.
  std::size_t clause(std::string_view text, std::size_t at) {
    if (next_ >= list_size(list_)) {
      return fail("index " + std::to_string(next_) + " out of range");
    }
    if (at >= text.size()) return fail("unexpected end of string");
    const Value arg = list_item(list_, next_++, arena_);
    int precision = -1;
    constexpr std::string_view kBad = "could not parse formatting clause: ";
    if (text[at] == '.') {
      std::size_t end = at + 1;
      precision = 0;
      for (; end < text.size() && is_digit(text[end]); ++end) {
        precision = std::min(precision * 10 + (text[end] - '0'), 1000);
      }
      if (end >= text.size()) {
        return fail(std::string(kBad) +
                    "error while parsing precision: could not find end of precision specifier");
      }
      if (end == at + 1) {
        return fail(std::string(kBad) +
                    "error while parsing precision: error while converting precision to integer: "
                    "strconv.Atoi: parsing \"\": invalid syntax");
      }
      at = end;
    }
    if (!write(text[at], arg, precision)) {
      return fail(std::string(kBad) + "unrecognized formatting clause \"" + text[at] + "\"");
    }
    return at + 1;
  }

  // Returns false if there is no such clause.
  bool write(char clause, const Value& arg, int precision) {
    const int digits = precision < 0 ? 6 : precision;
    std::string text;
    bool good = true;
    std::string_view wants;
    switch (clause) {
      case 's':
        good = literal(arg, text, false);
        wants =
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, "
            "lists, types, durations, and timestamps, was given ";
        break;
      case 'd':
        good = (arg.is(Kind::kInt) || arg.is(Kind::kUint)) && to_text(arg, text);
        wants = "decimal clause can only be used on integers, was given ";
        break;
      case 'f':
      case 'e':
        good = real(clause, arg, digits, text);
        wants = clause == 'f' ? "fixed-point clause can only be used on doubles, was given "
                              : "scientific clause can only be used on doubles, was given ";
        break;
      case 'b':
        good = number(arg, 2, false, text);
        wants = "only integers and bools can be formatted as binary, was given ";
        break;
      case 'o':
        good = number(arg, 8, false, text);
        wants = "octal clause can only be used on integers, was given ";
        break;
      case 'x':
      case 'X':
        good = hexadecimal(arg, clause == 'X', text);
        wants = "only integers, byte buffers, and strings can be formatted as hex, was given ";
        break;
      default:
        return false;
    }
    out_ += text;
    if (types != nullptr && arg.is(Kind::kUnknown)) return true;
    blames_argument_ = !good;
    if (!good) {
      fail("error during formatting: " + std::string(wants) + std::string(runtime_name(arg.kind)));
    }
    return true;
  }

  static bool real(char clause, const Value& arg, int digits, std::string& text) {
    double value = arg.real;
    if (arg.is(Kind::kString)) {
      const std::string_view name = arg.view();
      if (name != "NaN" && name != "Infinity" && name != "-Infinity") return false;
      value = name == "NaN" ? std::nan("") : name[0] == '-' ? -HUGE_VAL : HUGE_VAL;
    } else if (!arg.is(Kind::kDouble)) {
      return false;
    }
    text = !std::isfinite(value) ? special_double(value)
           : clause == 'f'       ? fixed(value, digits)
                                 : scientific(value, 6);
    if (clause == 'f' && std::isfinite(value)) group_thousands(text);
    // For `e` the precision acts as a width, too.
    const std::size_t size = count_runes(text);
    const auto width = static_cast<std::size_t>(digits);
    if (clause == 'e' && size < width) text.insert(0, width - size, ' ');
    return true;
  }

  // Groups thousands as in English: 1,234,567.5.
  static void group_thousands(std::string& text) {
    std::size_t end = std::min(text.find('.'), text.size());
    const std::size_t begin = text[0] == '-' ? 1 : 0;
    while (end > begin + 3) text.insert(end -= 3, 1, ',');
  }

  static bool number(const Value& arg, unsigned base, bool upper, std::string& text) {
    if (arg.is(Kind::kBool) && base == 2) return text = arg.boolean ? "1" : "0", true;
    if (arg.is(Kind::kUint)) return text = in_base(arg.natural, base, upper), true;
    if (!arg.is(Kind::kInt)) return false;
    const auto bits = static_cast<std::uint64_t>(arg.integer);
    text = arg.integer < 0 ? "-" + in_base(0 - bits, base, upper) : in_base(bits, base, upper);
    return true;
  }

  static bool hexadecimal(const Value& arg, bool upper, std::string& text) {
    if (!arg.is(Kind::kString) && !arg.is(Kind::kBytes)) return number(arg, 16, upper, text);
    for (const char c : arg.view()) {
      const auto byte = static_cast<unsigned char>(c);
      text += in_base(byte >> 4, 16, upper) + in_base(byte & 15, 16, upper);
    }
    return true;
  }

  // Prints a value like `%s`; inside lists and maps, as an expression would show it.
  bool literal(const Value& value, std::string& text, bool inside) {
    std::string own;
    switch (value.kind) {
      case Kind::kList:
        return list(value, text);
      case Kind::kMap:
        return map(value, text);
      case Kind::kString:
      case Kind::kBytes:
        if (!inside) return text += value.view(), true;
        text += value.is(Kind::kBytes) ? "b" : "";
        return text += go_quote(value.view()), true;
      case Kind::kDouble:
        if (!inside) break;
        text += std::isfinite(value.real) ? fixed(value.real, 6)
                : std::isnan(value.real)  ? "\"NaN\""
                : value.real > 0          ? "\"+Inf\""
                                          : "\"-Inf\"";
        return true;
      case Kind::kTimestamp:
      case Kind::kDuration:
        if (!inside) break;
        to_text(value, own);
        text += (value.is(Kind::kDuration) ? "duration(\"" : "timestamp(\"") + own + "\")";
        return true;
      case Kind::kIp:
      case Kind::kCidr:
        return false;
      default:
        break;
    }
    if (!to_text(value, own)) return false;
    text += own;
    return true;
  }

  bool list(const Value& value, std::string& text) {
    text += "[";
    for (std::uint32_t i = 0; i < list_size(value); ++i) {
      if (i > 0) text += ", ";
      const Value item = list_item(value, i, arena_);
      if (!literal(item, text, true)) return no_function("", item);
    }
    text += "]";
    return true;
  }

  bool no_function(std::string_view what, const Value& value) {
    fail("error during formatting: no formatting function for " + std::string(what) +
         std::string(runtime_name(value.kind)));
    return true;
  }

  bool map(const Value& value, std::string& text) {
    std::vector<std::string> entries;
    Value key;
    for (std::uint32_t place = 0; map_next(value, place, key, arena_);) {
      std::string entry;
      Value member;
      map_find(value, key, member, arena_);
      literal(key, entry, true);
      entry += ":";
      if (!literal(member, entry, true)) return no_function("", member);
      entries.push_back(std::move(entry));
    }
    sort_stable(entries);
    text += "{";
    for (const std::string& entry : entries) text += (&entry == &entries[0] ? "" : ", ") + entry;
    text += "}";
    return true;
  }

  const Value& list_;
  json::Arena& arena_;
  std::string out_;
  std::string error_;
  bool blames_argument_ = false;
  std::uint32_t next_ = 0;
};

}  // namespace

Value format_text(const Call& call) {
  Formatter formatter(call.args[1], call.arena);
  if (formatter.format(call.text(0))) return call.string(formatter.out());
  return call.error(formatter.error());
}

void check_format(const Expr& call, Issues& issues) {
  if (!call.flag || call.count != 2 || call.arg(1).kind != ExprKind::kList) return;
  const Value& text = call.arg(0).literal;
  if (call.arg(0).kind != ExprKind::kLiteral || !text.is(Kind::kString)) return;
  // Any value of the type will do; unknown types are always accepted.
  json::Arena arena;
  Value values = make_list(arena);
  for (std::uint32_t i = 0; i < call.arg(1).count; ++i) {
    const Kind kind = call.arg(1).arg(i).type->kind;
    Value value(kind == Kind::kStruct ? Kind::kMap : kind);
    if (kind == Kind::kDyn || kind == Kind::kParameter) value.kind = Kind::kUnknown;
    if (kind == Kind::kType) value = make_type(simple_type(kind));
    if (kind == Kind::kIp || kind == Kind::kCidr) value.kind = Kind::kFormat;
    list_append(values, value, arena);
  }
  Formatter formatter(values, arena);
  formatter.types = &call;
  const bool good = formatter.format(text.view());
  if (!good) {
    const bool argument = formatter.blames_argument();
    const std::string& error = formatter.error();
    issues.report(argument ? call.arg(1).arg(formatter.used() - 1).offset : call.offset, error);
  } else if (call.arg(1).count > formatter.used()) {
    issues.report(call.offset, "too many arguments supplied to string.format (expected " +
                                   std::to_string(formatter.used()) + ", got " +
                                   std::to_string(call.arg(1).count) + ")");
  }
}

std::string print_value(const Value& value) {
  std::string text;
  if (!to_text(value, text)) text = runtime_name(value.kind);
  return text;
}

}  // namespace tabernetes::cel

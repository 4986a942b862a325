// The conversions int(), uint(), double(), string(), bool(), bytes(), timestamp(), duration(),
// type() and dyn().
#include <cmath>

#include "base/go/duration.h"
#include "base/go/text.h"
#include "base/numbers/float_digits.h"
#include "base/numbers/parse_float.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "base/time/rfc3339.h"
#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

constexpr double kTwoTo63 = 9223372036854775808.0;
constexpr double kTwoTo64 = 18446744073709551616.0;

Kind target_of(Function function) {
  switch (function) {
    case F::kInt:
      return Kind::kInt;
    case F::kUint:
      return Kind::kUint;
    case F::kDouble:
      return Kind::kDouble;
    case F::kString:
      return Kind::kString;
    case F::kBool:
      return Kind::kBool;
    case F::kBytes:
      return Kind::kBytes;
    case F::kTimestamp:
      return Kind::kTimestamp;
    case F::kDuration:
      return Kind::kDuration;
    default:
      return Kind::kError;
  }
}

Value to_time(std::int64_t seconds, std::int64_t nanoseconds) {
  if (seconds < kFirstSecond || seconds > kLastSecond) {
    return make_text(Kind::kError, "timestamp overflow");
  }
  return make_time(seconds, static_cast<std::uint32_t>(nanoseconds));
}

// Parses like strconv.ParseFloat, which accepts more than plain decimals.
bool read_double(std::string_view text, double& real) {
  if (const auto read = parse_float(text)) {
    real = *read;
    return std::isfinite(real);
  }
  std::string lower = ascii_lower(text);
  const bool negative = lower.starts_with('-');
  if (negative || lower.starts_with('+')) lower.erase(0, 1);
  if (lower == "nan") return real = std::nan(""), true;
  if (lower != "inf" && lower != "infinity") return false;
  real = negative ? -HUGE_VAL : HUGE_VAL;
  return true;
}

// Returns not_mine() (an error without text) if the text cannot be converted.
Value read_text(Kind target, const Value& value) {
  const std::string_view text = value.view();
  if (target == Kind::kInt) {
    const GoParsedInt read = go_parse_int(text);
    if (read.error.empty()) return make_int(read.value);
  } else if (target == Kind::kUint) {
    const GoParsedUint read = go_parse_uint(text);
    if (read.error.empty()) return make_uint(read.value);
  } else if (target == Kind::kDouble) {
    double real = 0;
    if (read_double(text, real)) return make_double(real);
  } else if (target == Kind::kBool) {
    constexpr std::string_view kTrue = " 1 t T TRUE true True ";
    constexpr std::string_view kFalse = " 0 f F FALSE false False ";
    const std::string word = " " + std::string(text) + " ";
    if (text.empty()) return not_mine();
    if (kTrue.find(word) != kTrue.npos) return make_bool(true);
    if (kFalse.find(word) != kFalse.npos) return make_bool(false);
  } else if (target == Kind::kBytes) {
    return make_text(Kind::kBytes, text);
  } else if (target == Kind::kDuration) {
    const GoDuration span = go_parse_duration(text);
    if (span.error.empty()) return make_duration(span.value.nanoseconds);
  } else if (target == Kind::kTimestamp) {
    if (const auto time = parse_rfc3339_unix(text))
      return to_time(time->seconds, time->nanoseconds);
  }
  return not_mine();
}

Value from_double(Kind target, double real) {
  if (target == Kind::kInt) {
    if (real > -kTwoTo63 && real < kTwoTo63) return make_int(static_cast<std::int64_t>(real));
    return make_text(Kind::kError, "integer overflow");
  }
  if (target == Kind::kUint) {
    if (real >= 0 && real < kTwoTo64) return make_uint(static_cast<std::uint64_t>(real));
    return make_text(Kind::kError, "unsigned integer overflow");
  }
  return not_mine();
}

Value from_int(Kind target, std::int64_t i) {
  if (target == Kind::kUint) {
    if (i >= 0) return make_uint(static_cast<std::uint64_t>(i));
    return make_text(Kind::kError, "unsigned integer overflow");
  }
  if (target == Kind::kDouble) return make_double(static_cast<double>(i));
  if (target == Kind::kTimestamp) return to_time(i, 0);
  return not_mine();
}

Value from_uint(Kind target, std::uint64_t u) {
  if (target == Kind::kInt) {
    if (u >> 63 == 0) return make_int(static_cast<std::int64_t>(u));
    return make_text(Kind::kError, "integer overflow");
  }
  if (target == Kind::kDouble) return make_double(static_cast<double>(u));
  return not_mine();
}

Value from_other(Kind target, const Value& value, json::Arena& arena) {
  switch (value.kind) {
    case Kind::kString:
      return read_text(target, value);
    case Kind::kDouble:
      return from_double(target, value.real);
    case Kind::kInt:
      return from_int(target, value.integer);
    case Kind::kUint:
      return from_uint(target, value.natural);
    case Kind::kTimestamp:
    case Kind::kDuration:
      return target == Kind::kInt ? make_int(value.integer) : not_mine();
    default:
      static_cast<void>(arena);
      return not_mine();
  }
}

}  // namespace

std::string time_text(const Value& time) {
  std::string text = format_unix({time.integer, 0}, Fraction::kNone);
  if (time.size == 0) return text;
  std::string digits = std::to_string(1'000'000'000 + time.size).substr(1);
  digits.erase(digits.find_last_not_of('0') + 1);
  text.back() = '.';
  return text + digits + "Z";
}

bool to_text(const Value& value, std::string& text) {
  switch (value.kind) {
    case Kind::kNull:
      text = "null";
      return true;
    case Kind::kBool:
      text = value.boolean ? "true" : "false";
      return true;
    case Kind::kInt:
      text = std::to_string(value.integer);
      return true;
    case Kind::kUint:
      text = std::to_string(value.natural);
      return true;
    case Kind::kDouble:
      text = std::isfinite(value.real) ? go_g_float(value.real)
             : std::isnan(value.real)  ? "NaN"
             : value.real > 0          ? "+Inf"
                                       : "-Inf";
      return true;
    case Kind::kTimestamp:
      text = time_text(value);
      return true;
    case Kind::kDuration:
      text =
          format_plain(shortest_digits(static_cast<double>(value.integer / 1'000'000'000) +
                                       static_cast<double>(value.integer % 1'000'000'000) / 1e9)) +
          "s";
      return true;
    case Kind::kIp:
      text = value.ip->to_string();
      return true;
    case Kind::kCidr:
      text = value.cidr->address.to_string() + "/" + std::to_string(value.cidr->bits);
      return true;
    case Kind::kType:
      text = runtime_name(value.type_value->kind);
      return true;
    case Kind::kString:
    case Kind::kBytes:
      text = value.view();
      return true;
    default:
      return false;
  }
}

Value convert(Function function, const Value& value, json::Arena& arena) {
  const Kind target = target_of(function);
  if (value.kind == target) return value;
  if (target == Kind::kString && !value.is(Kind::kNull)) {
    if (value.is(Kind::kBytes)) {
      if (is_valid_utf8(value.view())) return make_string(value.view());
      return make_error("invalid UTF-8 in bytes, cannot convert to string", arena);
    }
    std::string text;
    if (to_text(value, text)) return make_string(arena.copy(text));
  }
  const Value made = from_other(target, value, arena);
  if (!is_not_mine(made)) return made;
  return make_error("type conversion error from '" + std::string(runtime_name(value.kind)) +
                        "' to '" + std::string(runtime_name(target)) + "'",
                    arena);
}

Value call_conversion(const Call& call) {
  if (call.count != 1) return not_mine();
  if (call.function == F::kDyn) return call.args[0];
  if (call.function == F::kType) {
    const Kind kind = call.args[0].kind == Kind::kStruct ? Kind::kMap : call.args[0].kind;
    return make_type(simple_type(kind));
  }
  if (target_of(call.function) == Kind::kError) return not_mine();
  return convert(call.function, call.args[0], call.arena);
}

}  // namespace tabernetes::cel

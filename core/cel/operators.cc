// Arithmetic and comparisons; overflow is an error. Source: cel-go 0.26 common/types.
#include <cmath>

#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

Value failure(std::string_view text) { return make_text(Kind::kError, text); }

bool overflows(std::int64_t a, std::int64_t b) { return b == -1 && a == INT64_MIN; }
bool overflows(std::uint64_t, std::uint64_t) { return false; }

// `Int` is int64 or uint64.
template <class Int>
Value arithmetic(Function function, Int a, Int b, Value (*make)(Int), std::string_view too_large) {
  Int result = 0;
  bool overflow = false;
  switch (function) {
    case F::kAdd:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case F::kSubtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case F::kMultiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    default:
      if (b == 0) return failure(function == F::kDivide ? "division by zero" : "modulus by zero");
      overflow = overflows(a, b);  // of the quotient
      if (!overflow) result = function == F::kDivide ? a / b : a % b;
  }
  return overflow ? failure(too_large) : make(result);
}

Value int_arithmetic(Function function, std::int64_t a, std::int64_t b) {
  return arithmetic(function, a, b, &make_int, "integer overflow");
}

Value uint_arithmetic(Function function, std::uint64_t a, std::uint64_t b) {
  return arithmetic(function, a, b, &make_uint, "unsigned integer overflow");
}

Value double_arithmetic(Function function, double a, double b) {
  switch (function) {
    case F::kAdd:
      return make_double(a + b);
    case F::kSubtract:
      return make_double(a - b);
    case F::kMultiply:
      return make_double(a * b);
    case F::kDivide:
      return make_double(b != 0                               ? a / b
                         : a == 0 || std::isnan(a)            ? std::nan("")
                         : std::signbit(a) == std::signbit(b) ? HUGE_VAL
                                                              : -HUGE_VAL);
    default:
      return not_mine();
  }
}

Value shifted(const Value& time, std::int64_t nanoseconds) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  std::int64_t seconds = time.integer + nanoseconds / kSecond;
  std::int64_t rest = time.size + nanoseconds % kSecond;
  if (rest < 0 || rest >= kSecond) {
    seconds += rest < 0 ? -1 : 1;
    rest += rest < 0 ? kSecond : -kSecond;
  }
  if (seconds < kFirstSecond || seconds > kLastSecond) return failure("timestamp overflow");
  return make_time(seconds, static_cast<std::uint32_t>(rest));
}

Value time_difference(const Value& a, const Value& b) {
  std::int64_t span = 0;
  const std::int64_t rest = static_cast<std::int64_t>(a.size) - b.size;
  if (__builtin_mul_overflow(a.integer - b.integer, std::int64_t{1'000'000'000}, &span) ||
      __builtin_add_overflow(span, rest, &span)) {
    return failure("duration overflow");
  }
  return make_duration(span);
}

Value duration_arithmetic(Function function, std::int64_t a, std::int64_t b) {
  const Value result = int_arithmetic(function, a, b);
  return result.is_error() ? result : make_duration(result.integer);
}

Value time_arithmetic(const Call& call) {
  const bool add = call.function == F::kAdd;
  if (!add && call.function != F::kSubtract) return not_mine();
  const Value& a = call.args[0];
  const Value& b = call.args[1];
  if (call.is("rr")) return duration_arithmetic(call.function, a.integer, b.integer);
  if (call.is("tr")) {
    if (!add && b.integer == INT64_MIN) return failure("timestamp overflow");
    return shifted(a, add ? b.integer : -b.integer);
  }
  if (add && call.is("rt")) return shifted(b, a.integer);
  if (!add && call.is("tt")) return time_difference(a, b);
  return not_mine();
}

Value joined(const Call& call) {
  const std::string_view a = call.text(0);
  const std::string_view b = call.text(1);
  char* bytes = static_cast<char*>(call.arena.allocate(a.size() + b.size() + 1));
  std::copy(a.begin(), a.end(), bytes);
  std::copy(b.begin(), b.end(), bytes + a.size());
  return make_text(call.args[0].kind, {bytes, a.size() + b.size()});
}

Value arithmetic(const Call& call) {
  const Value& a = call.args[0];
  const Value& b = call.args[1];
  if (call.is("ii")) return int_arithmetic(call.function, a.integer, b.integer);
  if (call.is("uu")) return uint_arithmetic(call.function, a.natural, b.natural);
  if (call.is("dd")) return double_arithmetic(call.function, a.real, b.real);
  if (call.function == F::kAdd) {
    if (call.is("ss") || call.is("yy")) return joined(call);
    if (call.is("ll")) return add_lists(a, b, call.arena);
  }
  return time_arithmetic(call);
}

Value comparison(const Call& call) {
  int order = 0;
  const std::string_view error = compare(call.args[0], call.args[1], order);
  if (!error.empty()) return failure(error);
  switch (call.function) {
    case F::kLess:
      return make_bool(order < 0);
    case F::kLessEqual:
      return make_bool(order <= 0);
    case F::kGreater:
      return make_bool(order > 0);
    default:
      return make_bool(order >= 0);
  }
}

Value contained(const Call& call) {
  const Value& item = call.args[0];
  const Value& in = call.args[1];
  Value found;
  if (in.is(Kind::kMap)) {
    const bool has = map_find(in, item, found, call.arena);
    return found.is_error() ? found : make_bool(has);
  }
  if (!in.is(Kind::kList)) return failure("no such overload");
  for (std::uint32_t i = 0; i < list_size(in); ++i) {
    const Value same = equal(list_item(in, i, call.arena), item, call.arena);
    if (same.is_true()) return same;
    if (same.is_error()) found = same;
  }
  return found.is_error() ? found : make_bool(false);
}

Value negated(const Call& call) {
  const Value& value = call.args[0];
  if (value.is(Kind::kDouble)) return make_double(-value.real);
  if (value.is(Kind::kInt)) return int_arithmetic(F::kSubtract, 0, value.integer);
  return value.is(Kind::kDuration) ? duration_arithmetic(F::kSubtract, 0, value.integer)
                                   : not_mine();
}

}  // namespace

Value call_operator(const Call& call) {
  switch (call.function) {
    case F::kNot:
      return call.is("b") ? make_bool(!call.args[0].boolean) : not_mine();
    case F::kNegate:
      return negated(call);
    case F::kEqual:
    case F::kNotEqual: {
      const Value same = equal(call.args[0], call.args[1], call.arena);
      if (same.is_error()) return same;
      return make_bool(same.boolean == (call.function == F::kEqual));
    }
    case F::kAdd:
    case F::kSubtract:
    case F::kMultiply:
    case F::kDivide:
    case F::kModulo:
      return arithmetic(call);
    case F::kLess:
    case F::kLessEqual:
    case F::kGreater:
    case F::kGreaterEqual:
      return comparison(call);
    case F::kIn:
      return contained(call);
    default:
      return not_mine();
  }
}

}  // namespace tabernetes::cel

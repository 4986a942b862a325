// What the evaluator's parts share. Internal.
#pragma once

#include <string>
#include <string_view>

#include "cel/expr.h"
#include "cel/value.h"
#include "json/arena.h"

namespace tabernetes::cel {

// The range of times: from the year 1 to the year 9999.
inline constexpr std::int64_t kFirstSecond = -62135596800;
inline constexpr std::int64_t kLastSecond = 253402300799;

// One call of a function whose arguments are known. None is an error where the function itself is
// asked; what it costs is asked of every call.
struct Call {
  Function function;
  const Expr& expr;
  const Value* args;
  std::uint32_t count;
  json::Arena& arena;

  // Whether the arguments are of these kinds: letters as in FunctionRow, `?` any, `l` any list,
  // `m` any map, `o` any optional.
  bool is(std::string_view kinds) const;
  // Whether the checker left one signature that can be meant. Only then cel-go knows which it is.
  bool has_one_overload() const { return (expr.overloads & (expr.overloads - 1)) == 0; }
  Value error(std::string_view text) const { return make_error(text, arena); }
  Value string(std::string_view text) const { return make_string(arena.copy(text)); }
  std::string_view text(std::uint32_t i) const { return args[i].view(); }
};

// Nothing (a kError without text) if the function is not theirs or the arguments are not.
Value call_operator(const Call& call);
Value call_conversion(const Call& call);
Value call_time(const Call& call);
Value call_string(const Call& call);
Value call_pattern(const Call& call);
Value call_list(const Call& call);
Value call_optional(const Call& call);
Value call_network(const Call& call);
Value call_url(const Call& call);
Value call_quantity(const Call& call);
Value call_semver(const Call& call);
Value call_format(const Call& call);

inline Value not_mine() { return make_text(Kind::kError, {}); }
inline bool is_not_mine(const Value& value) { return value.is_error() && value.size == 0; }

// What int(), uint(), double(), string(), bool(), bytes(), timestamp() or duration() make of
// `value`.
Value convert(Function function, const Value& value, json::Arena& arena);
// "2026-01-02T03:04:05.5Z"
std::string time_text(const Value& time);
// The text that string() makes; false if it makes none.
bool to_text(const Value& value, std::string& text);

// Equality: true, false or an error.
Value equal(const Value& a, const Value& b, json::Arena& arena);
bool is_equal(const Value& a, const Value& b, json::Arena& arena);
// Of what may be a key of a map.
bool equals_scalar(const Value& a, const Value& b);

// -1, 0, 1 in `order`; otherwise an error's text.
std::string_view compare(const Value& a, const Value& b, int& order);

// Sums and unions of lists: the order of `a` stays.
Value add_lists(const Value& a, const Value& b, json::Arena& arena);

// What a call costs in cel-go's units. REQUIRES: cost_fault() has none.
std::uint64_t call_cost(const Call& call, const Value& result);
// The error that ends the whole evaluation, because cel-go cannot count what the call costs;
// usually empty.
std::string cost_fault(const Call& call);

}  // namespace tabernetes::cel

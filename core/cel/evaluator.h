// Declarations shared by the parts of the evaluator. Internal.
#pragma once

#include <string>
#include <string_view>

#include "cel/expr.h"
#include "cel/value.h"
#include "json/arena.h"

namespace tabernetes::cel {

// The range of timestamps: from the year 1 to the year 9999.
inline constexpr std::int64_t kFirstSecond = -62135596800;
inline constexpr std::int64_t kLastSecond = 253402300799;

// A function call with evaluated arguments. Arguments may be errors only in call_cost(), which is
// charged for every call, not in the functions themselves.
struct Call {
  Function function;
  const Expr& expr;
  const Value* args;
  std::uint32_t count;
  json::Arena& arena;

  // Returns whether the arguments have these kinds: letters as in FunctionRow, `?` any, `l` any
  // list, `m` any map, `o` any optional.
  bool is(std::string_view kinds) const;
  // Returns whether the checker left exactly one overload; only then does cel-go dispatch
  // statically.
  bool has_one_overload() const { return (expr.overloads & (expr.overloads - 1)) == 0; }
  Value error(std::string_view text) const { return make_error(text, arena); }
  Value string(std::string_view text) const { return make_string(arena.copy(text)); }
  std::string_view text(std::uint32_t i) const { return args[i].view(); }
};

// Each returns not_mine() if it does not implement the function for these arguments.
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
Value call_access(const Call& call);

inline Value not_mine() { return make_text(Kind::kError, {}); }
inline bool is_not_mine(const Value& value) { return value.is_error() && value.size == 0; }

// Converts `value` like int(), uint(), double(), string(), bool(), bytes(), timestamp() or
// duration().
Value convert(Function function, const Value& value, json::Arena& arena);
// Returns "2026-01-02T03:04:05.5Z".
std::string time_text(const Value& time);
// Sets `text` to the result of string(); returns false if there is none.
bool to_text(const Value& value, std::string& text);

// Compare for equality; equal() returns true, false or an error.
Value equal(const Value& a, const Value& b, json::Arena& arena);
bool is_equal(const Value& a, const Value& b, json::Arena& arena);
// Compares values that can be keys of a map.
bool equals_scalar(const Value& a, const Value& b);

// Sets `order` to -1, 0 or 1, or returns an error message.
std::string_view compare(const Value& a, const Value& b, int& order);

// Returns the sum of lists, for sets and keyed lists their union; keeps the order of `a`.
Value add_lists(const Value& a, const Value& b, json::Arena& arena);

// Returns the cost of a call in cel-go's units. REQUIRES: cost_fault() is empty.
std::uint64_t call_cost(const Call& call, const Value& result);
// Returns the error that ends the whole evaluation because cel-go cannot compute the call's cost;
// usually empty.
std::string cost_fault(const Call& call);

}  // namespace tabernetes::cel

// Evaluates expressions and counts costs as cel-go does (interpreter/runtimecost.go): a chain of
// names and indexes is one attribute, which costs 1 plus 1 for each step; a call costs call_cost().
#include "cel/evaluate.h"

#include <algorithm>
#include <vector>

#include "cel/evaluator.h"
#include "cel/program_parts.h"

namespace tabernetes::cel {
namespace {

using F = Function;

constexpr std::uint64_t kListCost = 10;
constexpr std::uint64_t kMapCost = 30;
constexpr std::uint64_t kMessageCost = 40;

// Returns whether the expression is a step of an attribute: a selection or an index.
bool is_step(const Expr& expr) {
  if (expr.folded) return false;
  if (expr.kind == ExprKind::kSelect) return !expr.flag;
  return expr.kind == ExprKind::kCall &&
         (expr.function == F::kIndex || expr.function == F::kOptIndex ||
          expr.function == F::kOptSelect);
}

bool is_attribute(const Expr& expr) {
  if (expr.kind == ExprKind::kIdent) return !expr.is_type;
  return is_step(expr) || (expr.kind == ExprKind::kCall && expr.function == F::kConditional);
}

class Evaluator {
 public:
  Evaluator(std::span<const Value> variables, json::Arena& arena, std::uint64_t limit)
      : variables_(variables), arena_(arena), limit_(limit) {}

  std::uint64_t cost = 0;
  // Set when the whole evaluation ended with this error; nothing more is evaluated.
  Value ended;
  bool out_of_budget = false;

  bool has_ended() const { return ended.is_error(); }

  Value eval(const Expr& expr) {
    if (has_ended()) return ended;
    if (expr.folded) return expr.constant;
    switch (expr.kind) {
      case ExprKind::kLiteral:
        return expr.literal;
      case ExprKind::kIdent:
        if (expr.is_type) return expr.literal;
        charge(1);
        return variable(expr);
      case ExprKind::kSelect:
        return expr.flag ? has(expr) : attribute(expr);
      case ExprKind::kList:
        return charged(kListCost, list(expr));
      case ExprKind::kMap:
        return charged(kMapCost, map(expr));
      case ExprKind::kMessage:
        return charged(kMessageCost, message(expr));
      case ExprKind::kFold:
        return fold(expr);
      case ExprKind::kCall:
        return is_step(expr) ? attribute(expr) : call(expr);
      default:
        return error("no such overload");
    }
  }

 private:
  Value error(std::string_view text) { return make_error(text, arena_); }

  void charge(std::uint64_t units) {
    if (has_ended()) return;
    cost += units;
    if (cost <= limit_) return;
    out_of_budget = true;
    ended = make_text(Kind::kError, "operation cancelled: actual cost limit exceeded");
  }

  // Lists and maps cost the same if an element is an error.
  Value charged(std::uint64_t units, const Value& value) {
    charge(units);
    return value;
  }

  Value variable(const Expr& expr) const {
    if (expr.slot >= 0) return variables_[static_cast<std::size_t>(expr.slot)];
    return locals_[static_cast<std::size_t>(-1 - expr.slot)];
  }

  Value attribute(const Expr& expr) {
    const Value value = resolve(expr);
    const Expr* root = &expr;
    while (is_step(*root)) root = &root->arg(0);
    // A ternary's branches are charged as attributes themselves.
    if (root->function != F::kConditional) charge(1);
    return value;
  }

  // Returns the value of a chain without charging for the attribute itself.
  Value resolve(const Expr& expr) {
    if (has_ended()) return ended;
    if (expr.folded) return expr.constant;
    if (expr.kind == ExprKind::kIdent && !expr.is_type) return variable(expr);
    if (expr.kind == ExprKind::kCall && expr.function == F::kConditional) return choose(expr);
    if (!is_step(expr)) return eval(expr);
    const Value operand = resolve(expr.arg(0));
    if (operand.is_error()) return operand;
    const bool select = expr.kind == ExprKind::kSelect;
    const Value key = select ? make_string(expr.name) : eval(expr.arg(1));
    if (key.is_error()) return key;
    const bool optional = !select && expr.function != F::kIndex;
    // A key that is itself an attribute has been charged already.
    return step(operand, key, optional, select || !is_attribute(expr.arg(1)));
  }

  Value step(const Value& operand, const Value& key, bool optional, bool charged) {
    const bool inside = operand.is(Kind::kOptional);
    if (inside && operand.inner == nullptr) return operand;
    const Value& from = inside ? *operand.inner : operand;
    Value found;
    const bool present = qualify(from, key, found, optional || inside);
    if (charged && (present || !(optional || inside))) charge(1);
    if (found.is_error() && present) return found;
    if (!optional && !inside) return found;
    return present ? make_optional(found, arena_) : make_optional(nullptr);
  }

  // Looks up a member or item. If it is missing, `found` is an error, and the result is true only
  // if optional access does not absorb that error.
  bool qualify(const Value& from, const Value& key, Value& found, bool optional) {
    if (from.is(Kind::kMap)) {
      if (map_find(from, key, found, arena_)) return true;
      if (const Value* other = map_default(from)) return found = *other, true;
      std::string text;
      to_text(key, text);
      found = error("no such key: " + text);
      return !optional;
    }
    if (from.is(Kind::kList)) return index_list(from, key, found, optional);
    found = error(no_member(key));
    return true;
  }

  std::string no_member(const Value& key) {
    std::string text;
    to_text(key, text);
    return "no such key: " + text;
  }

  bool index_list(const Value& from, const Value& key, Value& found, bool optional) {
    std::int64_t i = -1;
    if (key.is(Kind::kInt)) {
      i = key.integer;
    } else if (key.is(Kind::kUint)) {
      i = static_cast<std::int64_t>(std::min<std::uint64_t>(key.natural, 0xffffffff));
    } else if (key.is(Kind::kDouble) &&
               key.real == static_cast<double>(static_cast<int>(key.real))) {
      i = static_cast<std::int64_t>(key.real);
    } else {
      found = error("unsupported index type '" + std::string(runtime_name(key.kind)) + "' in list");
      return true;
    }
    if (i >= 0 && i < list_size(from)) {
      found = list_item(from, static_cast<std::uint32_t>(i), arena_);
      return true;
    }
    found = error("index out of bounds: " + std::to_string(i));
    return !optional;
  }

  Value has(const Expr& expr) {
    const Value operand = resolve(expr.arg(0));
    charge(1);
    if (operand.is_error()) return operand;
    if (operand.is(Kind::kOptional) && operand.inner == nullptr) return make_bool(false);
    const Value& from = operand.is(Kind::kOptional) ? *operand.inner : operand;
    Value found;
    if (from.is(Kind::kList)) return error("unsupported index type 'string' in list");
    if (!from.is(Kind::kMap)) return make_bool(false);
    return make_bool(map_find(from, make_string(expr.name), found, arena_));
  }

  Value choose(const Expr& expr) {
    const Value condition = eval(expr.arg(0));
    if (condition.is_error()) return condition;
    if (!condition.is(Kind::kBool)) return error("no such overload");
    return resolve(expr.arg(condition.boolean ? 1 : 2));
  }

  Value list(const Expr& expr) {
    Value made = make_list(arena_, expr.count);
    for (std::uint32_t i = 0; i < expr.count; ++i) {
      const Value item = eval(expr.arg(i));
      if (item.is_error()) return item;
      if (!expr.is_optional(i)) {
        list_append(made, item, arena_);
      } else if (!item.is(Kind::kOptional)) {
        return error("cannot initialize optional list element from non-optional value " +
                     shown(item));
      } else if (item.inner != nullptr) {
        list_append(made, *item.inner, arena_);
      }
    }
    return made;
  }

  static std::string shown(const Value& value) {
    std::string text;
    to_text(value, text);
    return text;
  }

  // Returns a map that has the type of the message.
  Value message(const Expr& expr) {
    Value made = map(expr);
    if (!made.is_error()) made.type = expr.type;
    return made;
  }

  Value map(const Expr& expr) {
    Value made = make_map(arena_);
    for (std::uint32_t i = 0; i + 1 < expr.count; i += 2) {
      const Value key = eval(expr.arg(i));
      if (key.is_error()) return key;
      Value value = eval(expr.arg(i + 1));
      if (value.is_error()) return value;
      if (expr.is_optional(i / 2)) {
        if (!value.is(Kind::kOptional)) {
          return error("cannot initialize optional entry '" + shown(key) +
                       "' from non-optional value " + shown(value));
        }
        if (value.inner == nullptr) continue;
        value = *value.inner;
      }
      map_insert(made, key, value, arena_);
    }
    return made;
  }

  Value not_iterable(const Value& range) {
    std::string name(to_string(simple_type(range.kind)));
    name[0] = static_cast<char>(name[0] & ~0x20);
    return error("got 'types." + name + "', expected iterable type");
  }

  Value fold(const Expr& expr) {
    const Value range = eval(expr.arg(kRange));
    if (range.is_error()) return range;
    if (!range.is(Kind::kList) && !range.is(Kind::kMap)) return not_iterable(range);
    const std::size_t depth = locals_.size();
    const Value init = eval(expr.arg(kInit));
    locals_.push_back(init);
    if (range.is(Kind::kList)) {
      for (std::uint32_t i = 0; i < list_size(range); ++i) {
        const Value item = list_item(range, i, arena_);
        if (!loop(expr, depth, make_int(i), item)) break;
      }
    } else {
      Value key;
      for (std::uint32_t place = 0; map_next(range, place, key, arena_);) {
        Value value;
        if (!expr.names->second.empty()) map_find(range, key, value, arena_);
        if (!loop(expr, depth, key, expr.names->second.empty() ? key : value)) break;
      }
    }
    const Value result = eval(expr.arg(kResult));
    locals_.resize(depth);
    return result;
  }

  // Runs one iteration; returns false when the loop ends.
  bool loop(const Expr& expr, std::size_t depth, const Value& first, const Value& second) {
    const bool two = !expr.names->second.empty();
    locals_.push_back(two ? first : second);
    if (two) locals_.push_back(second);
    const Value condition = eval(expr.arg(kCondition));
    const bool goes_on = !(condition.is(Kind::kBool) && !condition.boolean) && !has_ended();
    if (goes_on) {
      const Value carried = eval(expr.arg(kStep));
      locals_[depth] = carried;
    }
    locals_.resize(depth + 1);
    return goes_on && !has_ended();
  }

  // Evaluates && and ||: an error is the result only if no term decides.
  Value terms(const Expr& expr) {
    const bool deciding = expr.function == F::kOr;
    Value failure;
    for (std::uint32_t i = 0; i < expr.count; ++i) {
      const Value term = eval(expr.arg(i));
      if (has_ended()) return ended;
      if (term.is(Kind::kBool)) {
        if (term.boolean == deciding) return term;
      } else if (!failure.is_error()) {
        failure = term.is_error() ? term : error("no such overload");
      }
    }
    return failure.is_error() ? failure : make_bool(!deciding);
  }

  // Evaluates or() and orValue(), whose other side is evaluated only if needed.
  Value or_other(const Expr& expr) {
    const Value optional = eval(expr.arg(0));
    Value result = optional;
    if (optional.is(Kind::kOptional)) {
      if (optional.inner == nullptr) {
        result = eval(expr.arg(1));
      } else if (expr.function == F::kOrValue) {
        result = *optional.inner;
      }
    }
    return result;
  }

  Value call(const Expr& expr) {
    switch (expr.function) {
      case F::kConditional:
        return choose(expr);
      case F::kAnd:
      case F::kOr:
        return terms(expr);
      case F::kOrMethod:
      case F::kOrValue:
        return or_other(expr);
      default:
        return strict(expr);
    }
  }

  Value strict(const Expr& expr) {
    constexpr std::uint32_t kMost = 4;
    Value args[kMost];
    const Value* failure = nullptr;
    for (std::uint32_t i = 0; i < std::min(expr.count, kMost); ++i) {
      args[i] = eval(expr.arg(i));
      if (args[i].is_error() && failure == nullptr) failure = &args[i];
      // With three or more arguments cel-go stops at the first error and charges nothing.
      if (failure != nullptr && expr.count > 2 && i + 1 < expr.count) return *failure;
    }
    if (has_ended()) return ended;
    const Call call{expr.function, expr, args, expr.count, arena_};
    if (const std::string fault = cost_fault(call); !fault.empty()) return ended = error(fault);
    Value result;
    if (expr.function == F::kNotStrictlyFalse) {
      result = make_bool(!args[0].is(Kind::kBool) || args[0].boolean);
    } else {
      result = failure != nullptr ? *failure : dispatch(call);
    }
    charge(call_cost(call, result));
    return has_ended() ? ended : result;
  }

  Value dispatch(const Call& call) {
    using Library = Value (*)(const Call&);
    static constexpr Library kLibraries[] = {
        call_operator, call_conversion, call_string,  call_pattern, call_list,
        call_optional, call_time,       call_network, call_url,     call_quantity,
        call_semver,   call_format,     call_access};
    for (const Library library : kLibraries) {
      const Value result = library(call);
      if (!is_not_mine(result)) return result;
    }
    return no_overload(call);
  }

  // Kinds on which cel-go itself dispatches if the checker chose no overload.
  static bool is_receiver(const Value& value) {
    return value.is(Kind::kString) || value.is(Kind::kDuration) || value.is(Kind::kTimestamp);
  }

  Value no_flatten(const Call& call) {
    const auto name = [&](std::uint32_t i) {
      const Kind kind = call.args[i].kind;
      return kind == Kind::kMap ? "map(dyn, dyn)" : to_string(simple_type(kind));
    };
    return error("no such overload: " + name(0) + ".flatten(" + (call.count > 1 ? name(1) : "") +
                 ")");
  }

  Value no_overload(const Call& call) {
    // Operators and conversions dispatch on the value.
    const F function = call.function;
    const bool sorts = function == F::kSort || function == F::kSortByKeys;
    if (sorts && !is_receiver(call.args[0])) {
      return error("no such overload: " + std::string(function_row(function).name));
    }
    if (function < F::kAddMethod || function == F::kContains || function == F::kStartsWith ||
        function == F::kEndsWith || function == F::kMatches || function == F::kFind ||
        function == F::kSort) {
      return error("no such overload");
    }
    if (function == F::kSize) return error("no such overload: size");
    if (function == F::kFlatten) return no_flatten(call);
    std::string text = "no such overload: " + std::string(function_row(call.function).name) + "(";
    for (std::uint32_t i = 0; i < call.count; ++i) {
      if (i > 0) text += ", ";
      text += runtime_name(call.args[i].kind);
    }
    return error(text + ")");
  }

  std::span<const Value> variables_;
  std::vector<Value> locals_;
  json::Arena& arena_;
  std::uint64_t limit_;
};

}  // namespace

bool Call::is(std::string_view kinds) const {
  if (kinds.size() != count) return false;
  constexpr std::string_view kLetters = "biudsyrtlmoUQICSFzZGRD";
  constexpr Kind kKinds[] = {
      Kind::kBool,          Kind::kInt,      Kind::kUint,       Kind::kDouble,    Kind::kString,
      Kind::kBytes,         Kind::kDuration, Kind::kTimestamp,  Kind::kList,      Kind::kMap,
      Kind::kOptional,      Kind::kUrl,      Kind::kQuantity,   Kind::kIp,        Kind::kCidr,
      Kind::kSemver,        Kind::kFormat,   Kind::kAuthorizer, Kind::kPathCheck, Kind::kGroupCheck,
      Kind::kResourceCheck, Kind::kDecision};
  for (std::uint32_t i = 0; i < count; ++i) {
    if (kinds[i] != '?' && args[i].kind != kKinds[kLetters.find(kinds[i])]) return false;
  }
  return true;
}

Outcome evaluate(const Expr& root, std::span<const Value> variables, json::Arena& arena,
                 std::uint64_t cost_limit) {
  Evaluator evaluator(variables, arena, cost_limit);
  Outcome outcome;
  outcome.value = evaluator.eval(root);
  if (evaluator.has_ended()) outcome.value = evaluator.ended;
  outcome.cost = evaluator.cost;
  outcome.out_of_budget = evaluator.out_of_budget;
  return outcome;
}

}  // namespace tabernetes::cel

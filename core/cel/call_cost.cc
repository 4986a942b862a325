// Runtime costs of calls; cost.cc has the estimates. Source: cel-go 0.26
// interpreter/runtimecost.go, ext/lists.go, ext/sets.go; apiserver 1.36 pkg/cel/library/cost.go.
#include <algorithm>

#include "cel/evaluator.h"

namespace tabernetes::cel {
namespace {

using F = Function;

constexpr std::uint64_t kAuthorization = 350'000;

// Returns a tenth of `characters`, rounded up.
std::uint64_t tenth(std::uint64_t characters) { return (characters + 9) / 10; }

std::uint64_t pattern_cost(std::uint64_t text, std::uint64_t pattern) {
  return tenth(text + 1) * ((pattern + 3) / 4);
}

// Returns the cost of traversing a value and everything in it.
std::uint64_t traversal(const Value& value, json::Arena& arena) {
  std::uint64_t cost = 0;
  switch (value.kind) {
    case Kind::kString:
    case Kind::kBytes:
      return value.size / 10;
    case Kind::kList:
      for (std::uint32_t i = 0; i < list_size(value); ++i) {
        cost += traversal(list_item(value, i, arena), arena);
      }
      return cost;
    case Kind::kMap: {
      Value key, member;
      for (std::uint32_t place = 0; map_next(value, place, key, arena);) {
        map_find(value, key, member, arena);
        cost += traversal(key, arena) + traversal(member, arena);
      }
      return cost;
    }
    default:
      return 1;
  }
}

bool is_opaque(const Value& value) {
  return value.kind >= Kind::kUrl && value.kind <= Kind::kDecision;
}

std::uint64_t self_compare(const Value& list, json::Arena& arena) {
  const std::uint64_t size = value_size(list);
  std::uint64_t cost = 2 * size * size;
  if (size > 0) {
    const Kind kind = list_item(list, 0, arena).kind;
    if (kind == Kind::kString || kind == Kind::kBytes) cost += size * size / 10;
  }
  return cost + 11;
}

// Converts the product as Go does on amd64: negative values wrap around, values out of range are
// 2^63.
std::uint64_t flatten_cost(std::uint64_t size, std::int64_t depth) {
  constexpr double kOutOfRange = 9223372036854775808.0;
  const double product = static_cast<double>(size) * static_cast<double>(depth);
  const bool fits = product < kOutOfRange && product > -kOutOfRange;
  const std::uint64_t cost = fits ? static_cast<std::uint64_t>(static_cast<std::int64_t>(product))
                                  : std::uint64_t{1} << 63;
  return cost + 11;
}

std::uint64_t format_pattern(std::string_view format) {
  return format == "uri"                                        ? 1103
         : format == "byte"                                     ? 84
         : format == "uuid"                                     ? 70
         : format == "labelValue"                               ? 40
         : format.starts_with("date")                           ? 71
         : format.starts_with("dns1123Sub") || format[0] == 'q' ? 60
                                                                : 30;
}

// Returns true for two texts whose types the checker knew.
bool known_texts(const Call& call) {
  return (call.is("ss") || call.is("yy")) && call.has_one_overload();
}

// Returns true for `in` a constant list of scalars, which cel-go turns into a set.
bool is_set(const Call& call) {
  if (!call.expr.arg(1).folded || !call.args[1].is(Kind::kList)) return false;
  for (std::uint32_t i = 0; i < list_size(call.args[1]); ++i) {
    const Kind kind = list_item(call.args[1], i, call.arena).kind;
    if (kind < Kind::kBool || kind > Kind::kString) return false;
  }
  return true;
}

std::uint64_t min_size(const Call& call) {
  return tenth(std::min(value_size(call.args[0]), value_size(call.args[1])));
}

}  // namespace

std::uint64_t call_cost(const Call& call, const Value& result) {
  const auto size = [&](std::uint32_t i) { return value_size(call.args[i]); };
  switch (call.function) {
    case F::kCheck:
      return kAuthorization;
    case F::kFieldSelector:
    case F::kLabelSelector:  // a list of requirements, of two characters at least
      return 10 + tenth(size(1)) + 50 * ((size(1) + 1) / 2);
    case F::kIsSorted:
    case F::kSum:
    case F::kMax:
    case F::kMin:
    case F::kIndexOf:
    case F::kLastIndexOf:
      return traversal(call.args[0], call.arena);
    case F::kUrl:
    case F::kLowerAscii:
    case F::kUpperAscii:
    case F::kSubstring:
    case F::kTrim:
    case F::kCidr:
    case F::kIsIp:
    case F::kIsCidr:
    case F::kQuantity:
    case F::kIsQuantity:
    case F::kSemver:
    case F::kIsSemver:
    case F::kStartsWith:
    case F::kEndsWith:
    case F::kStringsQuote:
    case F::kJsonpatchEscapeKey:
    case F::kFormat:
      return tenth(size(0));
    case F::kBytes:
    case F::kString:
      return call.is(call.function == F::kBytes ? "s" : "y") && call.has_one_overload()
                 ? tenth(size(0))
                 : 1;
    case F::kIp:
      return call.args[0].is(Kind::kCidr) ? 1 : tenth(size(0));
    case F::kReplace:
    case F::kSplit:
    case F::kIpIsCanonical:
      return tenth(2 * size(0));
    case F::kJoin:
      return tenth(2 * value_size(result));
    case F::kFind:
    case F::kFindAll:
      return pattern_cost(size(0), size(1));
    case F::kMatches:
      return call.expr.flag ? pattern_cost(size(0), size(1)) : 1;
    case F::kContains:
      return tenth(size(0)) * tenth(size(1));
    case F::kContainsIp:
    case F::kContainsCidr: {
      std::uint64_t cost = tenth(2 * size(0));
      if (call.function == F::kContainsCidr) cost += tenth(size(0)) + 1;
      const bool text = call.args[1].is(Kind::kString) || call.expr.overloads == 1;
      return cost + (text ? tenth(size(1)) : 0);
    }
    case F::kValidate:
      if (!call.args[0].is(Kind::kFormat)) return 1;
      return pattern_cost(size(1), format_pattern(call.text(0)));
    case F::kEqual:
    case F::kNotEqual:
      return call.function == F::kEqual && is_opaque(call.args[0]) ? 1 : min_size(call);
    case F::kLess:
    case F::kLessEqual:
    case F::kGreater:
    case F::kGreaterEqual:
      return known_texts(call) ? min_size(call) : 1;
    case F::kAdd:
      return known_texts(call) ? tenth(size(0) + size(1)) : 1;
    case F::kIn:
      return is_set(call) ? 0 : call.expr.overloads == 1 ? size(1) : 1;
    case F::kSlice:
    case F::kListsRange:
      return value_size(result) + 11;
    case F::kReverse:
      return value_size(result) + 11;
    case F::kFlatten:
      return flatten_cost(size(0), call.count == 2 ? call.args[1].integer : 1);
    case F::kDistinct:
      return self_compare(call.args[0], call.arena);
    case F::kSort:
      return call.has_one_overload() ? self_compare(call.args[0], call.arena) : 1;
    case F::kSortByKeys:
      return call.has_one_overload() ? self_compare(call.args[1], call.arena) : 1;
    case F::kSetsContains:
    case F::kSetsIntersects:
      return 1 + size(0) * size(1);
    case F::kSetsEquivalent:
      return 1 + 2 * size(0) * size(1);
    default:
      return 1;
  }
}

}  // namespace tabernetes::cel

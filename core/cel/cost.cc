// Estimates the minimum and maximum cost of an expression without evaluating it. Sizes come from
// literals, from the schema (by the path of names that leads to a value), or are unknown. Source:
// cel-go 0.26 checker/cost.go; apiserver 1.36 pkg/cel/library/cost.go; apiextensions-apiserver
// pkg/apiserver/schema/cel/compilation.go.
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "base/text/parts.h"
#include "base/text/utf8.h"
#include "cel/evaluate.h"

namespace tabernetes::cel {
namespace {

using F = Function;

constexpr std::uint64_t kMostCost = std::numeric_limits<std::uint64_t>::max();
constexpr double kTenth = 0.1;

std::uint64_t plus(std::uint64_t a, std::uint64_t b) {
  return a > kMostCost - b ? kMostCost : a + b;
}
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kMostCost / b ? kMostCost : a * b;
}
std::uint64_t scaled(std::uint64_t a, double factor) {
  const double product = std::ceil(static_cast<double>(a) * factor);
  return product >= 18446744073709551616.0 ? kMostCost : static_cast<std::uint64_t>(product);
}

Estimate fixed(std::uint64_t n) { return {n, n}; }
Estimate operator+(Estimate a, Estimate b) { return {plus(a.min, b.min), plus(a.max, b.max)}; }
Estimate operator*(Estimate a, Estimate b) { return {times(a.min, b.min), times(a.max, b.max)}; }
Estimate operator*(Estimate a, double factor) {
  return {scaled(a.min, factor), scaled(a.max, factor)};
}
Estimate either(Estimate a, Estimate b) { return {std::min(a.min, b.min), std::max(a.max, b.max)}; }
constexpr Estimate kUnknown = {0, kMostCost};

// A size that may be unknown.
struct Size {
  bool known = false;
  Estimate range;

  Size() = default;
  Size(Estimate r) : known(true), range(r) {}
  Estimate or_unknown() const { return known ? range : kUnknown; }
};

// The sizes of the elements of a list or map.
struct Entry {
  bool known = false;
  bool is_list = false;
  Estimate key, value;
};

// The position of a value in the schema. A path of one name is the root, whatever the name.
struct Path {
  bool any = false;
  const Type* node = nullptr;
};

struct Local {
  std::string_view name;
  Path path;
  Size size;
  Entry entry;
};

struct CallEstimate {
  Estimate cost;
  Size size;  // of the result
  bool known = true;
};

class Coster {
 public:
  explicit Coster(const Type* root) : root_(root) {}

  Estimate cost(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kIdent:
        return ident(expr);
      case ExprKind::kSelect:
        return select(expr);
      case ExprKind::kCall:
        return call(expr);
      case ExprKind::kList:
        return list(expr);
      case ExprKind::kMap:
        return map(expr);
      case ExprKind::kFold:
        return is_bind(expr) ? bind(expr) : fold(expr);
      default:
        return fixed(0);
    }
  }

 private:
  struct Notes {
    Path path;
    Size size;
    Entry entry;
  };

  Notes& notes(const Expr& expr) {
    if (expr.number >= notes_.size()) notes_.resize(expr.number + 1);
    return notes_[expr.number];
  }

  // Extends the path by one name.
  Path step(const Path& path, std::string_view name) const {
    if (!path.any) return {true, root_};
    if (path.node == nullptr) return path;
    const Type& node = *path.node;
    if (name == "@items" || name == "@values") return {true, node.element};
    if (name == "@keys") return {true, node.key};
    const Field* field = node.kind == Kind::kStruct ? node.field(name) : nullptr;
    return {true, field != nullptr && field->type->exposed ? field->type : nullptr};
  }

  const Local* find_local(const Expr& expr) const {
    if (expr.kind != ExprKind::kIdent) return nullptr;
    for (std::size_t i = locals_.size(); i-- > 0;) {
      if (locals_[i].name == expr.name) return &locals_[i];
    }
    return nullptr;
  }

  Path path(const Expr& expr) {
    if (const Local* local = find_local(expr)) return local->path;
    return notes(expr).path;
  }

  static Size schema_size(const Path& path) {
    if (!path.any || path.node == nullptr) return {};
    return Estimate{0, static_cast<std::uint64_t>(path.node->max_elements)};
  }

  static bool is_scalar(const Type& type) {
    switch (type.kind) {
      case Kind::kBool:
      case Kind::kDouble:
      case Kind::kDuration:
      case Kind::kInt:
      case Kind::kTimestamp:
      case Kind::kUint:
        return true;
      default:
        return type.kind == Kind::kOptional && is_scalar(*type.element);
    }
  }

  static Size literal_size(const Expr& expr) {
    if (expr.kind == ExprKind::kList) return fixed(expr.count);
    if (expr.kind == ExprKind::kMap) return fixed(expr.count / 2);
    if (expr.kind != ExprKind::kLiteral) return {};
    return fixed(value_size(expr.literal));
  }

  Size size(const Expr& expr) {
    if (notes(expr).size.known) return notes(expr).size;
    if (const Size literal = literal_size(expr); literal.known) return literal;
    if (const Size known = schema_size(path(expr)); known.known) {
      return notes(expr).size = known;
    }
    if (is_scalar(*expr.type)) return fixed(1);
    const Local* local = find_local(expr);
    return local == nullptr ? Size() : local->size;
  }

  Estimate some(const Expr& expr) { return size(expr).or_unknown(); }

  void note_size(const Expr& expr, const Size& size) {
    if (size.known) notes(expr).size = size;
  }
  void note_entry(const Expr& expr, const Entry& entry) {
    if (entry.known) notes(expr).entry = entry;
  }

  Entry entry(const Expr& expr) {
    if (notes(expr).entry.known) return notes(expr).entry;
    const Local* local = find_local(expr);
    return local == nullptr ? Entry() : local->entry;
  }

  static Entry either_entry(const Entry& a, const Entry& b) {
    if (!a.known || !b.known) return {};
    return {true, a.is_list, either(a.key, b.key), either(a.value, b.value)};
  }

  Estimate ident(const Expr& expr) {
    if (expr.is_type && expr.slot == 0 && expr.count == 0 && find_local(expr) == nullptr) {
      notes(expr).path = {true, root_};
      return fixed(1);
    }
    const Local* local = find_local(expr);
    notes(expr).path = local != nullptr ? local->path : Path{true, root_};
    return fixed(1);
  }

  Estimate select(const Expr& expr) {
    const Estimate operand = cost(expr.arg(0));
    if (expr.flag) return operand;
    notes(expr).path = step(path(expr.arg(0)), expr.name);
    const Kind kind = expr.arg(0).type->kind;
    const bool costs = kind == Kind::kMap || kind == Kind::kStruct || kind == Kind::kParameter;
    return costs ? operand + fixed(1) : operand;
  }

  Estimate list(const Expr& expr) {
    Estimate sum = fixed(10);
    Estimate items = {expr.count == 0 ? 0 : kMostCost, 0};
    for (std::uint32_t i = 0; i < expr.count; ++i) {
      sum = sum + cost(expr.arg(i));
      items = either(items, some(expr.arg(i)));
    }
    note_entry(expr, {true, true, fixed(1), items});
    return sum;
  }

  Estimate map(const Expr& expr) {
    Estimate sum = fixed(30);
    Estimate sizes[2] = {{expr.count == 0 ? 0 : kMostCost, 0},
                         {expr.count == 0 ? 0 : kMostCost, 0}};
    for (std::uint32_t i = 0; i < expr.count; ++i) {
      sum = sum + cost(expr.arg(i));
      sizes[i % 2] = either(sizes[i % 2], some(expr.arg(i)));
    }
    note_entry(expr, {true, false, sizes[0], sizes[1]});
    return sum;
  }

  static bool is_bind(const Expr& expr) {
    const Expr& range = expr.arg(kRange);
    const Expr& condition = expr.arg(kCondition);
    return range.kind == ExprKind::kList && range.count == 0 &&
           condition.kind == ExprKind::kLiteral && !condition.literal.is_true() &&
           expr.names->carried != "__result__";
  }

  void push(std::string_view name, const Expr& expr) {
    locals_.push_back({name, path(expr), size(expr), entry(expr)});
  }

  void push_item(std::string_view name, const Expr& range, bool key, bool single) {
    const Entry held = entry(range);
    const bool is_list = held.known ? held.is_list : range.type->kind == Kind::kList;
    Local local{name, {}, {}, {}};
    const bool value = single ? is_list : !key;
    if (held.known) local.size = value ? held.value : held.key;
    const std::string_view where = single    ? (is_list ? "@items" : "@keys")
                                   : key     ? (is_list ? "@indices" : "@keys")
                                   : is_list ? "@items"
                                             : "@values";
    local.path = step(path(range), where);
    locals_.push_back(local);
  }

  Estimate bind(const Expr& expr) {
    Estimate sum = cost(expr.arg(kRange)) + cost(expr.arg(kInit));
    push(expr.names->carried, expr.arg(kInit));
    sum = sum + cost(expr.arg(kResult));
    const Size result = size(expr.arg(kResult));
    const Entry held = entry(expr.arg(kResult));
    locals_.pop_back();
    note_size(expr, result);
    note_entry(expr, held);
    return sum;
  }

  Estimate fold(const Expr& expr) {
    const Expr& range = expr.arg(kRange);
    const Expr& init = expr.arg(kInit);
    Estimate sum = cost(range) + cost(init);
    push(expr.names->carried, init);
    const bool two = !expr.names->second.empty();
    push_item(expr.names->item, range, true, !two);
    if (two) push_item(expr.names->second, range, false, false);
    const Estimate turn = cost(expr.arg(kCondition)) + cost(expr.arg(kStep));
    locals_.pop_back();
    if (two) locals_.pop_back();
    sum = sum + cost(expr.arg(kResult));
    locals_.pop_back();
    const Estimate count = some(range);
    if (init.kind == ExprKind::kLiteral) {
      note_size(expr, size(init));
    } else if (init.kind == ExprKind::kList || init.kind == ExprKind::kMap) {
      note_size(expr, count);
      note_entry(expr, entry(expr.arg(kStep)));
    }
    return sum + count * turn;
  }

  Estimate call(const Expr& expr) {
    if (expr.function == F::kDyn && expr.count == 1) {
      const Estimate argument = cost(expr.arg(0));
      note_size(expr, size(expr.arg(0)));
      note_entry(expr, entry(expr.arg(0)));
      return argument + fixed(1);
    }
    const std::uint32_t first = expr.flag ? 1 : 0;
    std::vector<Estimate> costs;
    for (std::uint32_t i = first; i < expr.count; ++i) costs.push_back(cost(expr.arg(i)));
    const Estimate target = expr.flag ? cost(expr.arg(0)) : fixed(0);
    Estimate total = {kMostCost, 0};
    Size result;
    std::string_view rest = function_row(expr.function).signatures;
    const std::uint64_t overloads = expr.function == F::kOptSelect ? 1 : expr.overloads;
    for (std::uint64_t bit = 1; !rest.empty(); bit <<= 1) {
      const std::string_view signature = take_part(rest, ' ');
      if ((overloads & bit) == 0) continue;
      const CallEstimate estimate = function_cost(expr, signature, costs);
      total = either(total, estimate.cost);
      if (estimate.size.known) {
        result = result.known ? either(result.range, estimate.size.range) : estimate.size.range;
      }
      note_index(expr, signature, result);
      if (!result.known) result = size(expr);
    }
    if (overloads == 0) return fixed(0);
    note_size(expr, result);
    return target + total;
  }

  void note_index(const Expr& expr, std::string_view signature, Size& result) {
    if (expr.function != F::kIndex || (signature != "LAi>A" && signature != "MABA>B")) return;
    const Entry held = entry(expr.arg(0));
    result = held.known ? Size(held.value) : Size();
    notes(expr).path = step(path(expr.arg(0)), signature[0] == 'L' ? "@items" : "@values");
  }

  // Returns the size of a list's items by the schema.
  Estimate item_size(const Expr& list) { return schema_size(step_known(list)).or_unknown(); }
  Path step_known(const Expr& list) {
    const Path where = path(list);
    return where.any ? step(where, "@items") : Path();
  }

  // `costs` are those of the arguments without a method's receiver.
  CallEstimate function_cost(const Expr& expr, std::string_view signature,
                             const std::vector<Estimate>& costs) {
    Estimate args = fixed(0);
    for (const Estimate& cost : costs) args = args + cost;
    CallEstimate own = library_cost(expr, signature);
    if (!own.known) own = standard_cost(expr, signature, costs);
    if (!own.known) own = {fixed(1), {}};
    // Their own cost already includes the arguments.
    if (expr.function == F::kAnd || expr.function == F::kOr || expr.function == F::kConditional) {
      return own;
    }
    own.cost = own.cost + args;
    return own;
  }

  static inline const CallEstimate kNone = {{}, {}, false};

  // Returns the cost of functions of kube-apiserver's libraries and cel-go's extensions; kNone for
  // others.
  CallEstimate library_cost(const Expr& expr, std::string_view signature) {
    const auto of = [&](std::uint32_t i) { return some(expr.arg(i)); };
    const auto read = [&](double factor) { return CallEstimate{of(0) * factor, {}}; };
    switch (expr.function) {
      case F::kCheck:
        return {fixed(350'000), {}};
      case F::kFieldSelector:
      case F::kLabelSelector:
        return {fixed(10) + of(1) * kTenth + of(1) * 0.5 * 50.0, {}};
      case F::kIsSorted:
      case F::kSum:
      case F::kMax:
      case F::kMin:
      case F::kIndexOf:
      case F::kLastIndexOf:
        return search(expr);
      case F::kUrl:
      case F::kLowerAscii:
      case F::kUpperAscii:
      case F::kSubstring:
      case F::kTrim:
        return {of(0) * kTenth, of(0)};
      case F::kReplace:
        return {of(0) * (2 * kTenth), replaced(of(0), of(1), of(2))};
      case F::kSplit:
        return split(expr);
      case F::kJoin:
        return join(expr);
      case F::kFind:
      case F::kFindAll:
        return {pattern(of(0), of(1)), Estimate{0, of(0).max}};
      case F::kIp:
        if (signature == ".C>I") return {fixed(1), {}};
        return read(kTenth);
      case F::kCidr:
      case F::kIsIp:
      case F::kIsCidr:
      case F::kQuantity:
      case F::kIsQuantity:
      case F::kSemver:
      case F::kIsSemver:
        return read(kTenth);
      case F::kIpIsCanonical:
        return read(2 * kTenth);
      case F::kContainsIp:
      case F::kContainsCidr:
        return contains_address(expr, signature);
      case F::kValidate:
        return {of(1) * kTenth * (128 * 0.25), {}};
      case F::kEqual:
        return equal_opaque(expr);
      default:
        return lists_cost(expr);
    }
  }

  CallEstimate lists_cost(const Expr& expr) {
    const auto of = [&](std::uint32_t i) { return some(expr.arg(i)); };
    const auto made = [](double factor, Estimate size) {
      return CallEstimate{size * factor + fixed(11), size};
    };
    switch (expr.function) {
      case F::kSlice:
        return made(1, fixed(number(expr.arg(2), of(0).max) - number(expr.arg(1), 0)));
      case F::kListsRange:
        return made(1, fixed(number(expr.arg(0), kMostCost)));
      case F::kReverse:
        return made(1, of(0));
      case F::kFlatten:
        return made(expr.count == 2 ? static_cast<double>(number(expr.arg(1), kMostCost)) : 1,
                    of(0));
      case F::kDistinct:
        return made(2, of(0) * of(0));
      case F::kSort:
        return made(compare_factor(expr.arg(0)), of(0) * of(0));
      case F::kSortByKeys:
        return made(compare_factor(expr.arg(1)), of(1) * of(1));
      case F::kSetsContains:
      case F::kSetsIntersects:
        return {of(0) * of(1) * 1.0 + fixed(1), {}};
      case F::kSetsEquivalent:
        return {of(0) * of(1) * 2.0 + fixed(1), {}};
      default:
        return kNone;
    }
  }

  static double compare_factor(const Expr& list) {
    const Kind kind = list.type->element == nullptr ? Kind::kDyn : list.type->element->kind;
    return kind == Kind::kString || kind == Kind::kBytes ? 2 + kTenth : 2;
  }

  static std::uint64_t number(const Expr& expr, std::uint64_t otherwise) {
    if (expr.kind != ExprKind::kLiteral || !expr.literal.is(Kind::kInt)) return otherwise;
    return expr.literal.integer < 0 ? 0 : static_cast<std::uint64_t>(expr.literal.integer);
  }

  static Estimate pattern(Estimate text, Estimate pattern) {
    return ((text + fixed(1)) * kTenth) * (pattern * 0.25);
  }

  CallEstimate search(const Expr& expr) {
    if (!expr.flag) return kNone;
    const Expr& target = expr.arg(0);
    const Type* items = target.type->element;
    if (items == nullptr) return {some(target) * kTenth, {}};
    Estimate each = fixed(1);
    if (items->kind == Kind::kString || items->kind == Kind::kBytes) {
      each = each + item_size(target) * kTenth;
    }
    return {some(target) * each, {}};
  }

  static std::uint64_t quotient(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(std::min(
        std::ceil(static_cast<double>(a) / static_cast<double>(b)), 18446744073709549568.0));
  }

  // Returns the length of a text after replacing `old`.
  static Size replaced(Estimate text, Estimate old, Estimate with) {
    Estimate count = fixed(0);
    Estimate kept = fixed(0);
    if (old.min == 0) {
      count.max = plus(text.max, 1);
      kept.max = text.max;
    } else if (with.max <= old.min) {
      kept.max = text.max;
    } else {
      count.max = quotient(text.max, old.min);
    }
    if (old.max == 0) {
      count.min = plus(text.min, 1);
      kept.min = text.min;
    } else if (old.max <= with.min) {
      kept.min = text.min;
    } else {
      count.min = quotient(text.min, old.max);
    }
    return count * with + kept;
  }

  CallEstimate split(const Expr& expr) {
    const Estimate text = some(expr.arg(0));
    std::uint64_t most = text.max;
    if (expr.count > 2) {
      const Expr& limit = expr.arg(2);
      if (limit.kind == ExprKind::kLiteral && limit.literal.is(Kind::kInt)) {
        most = limit.literal.natural;
      }
    }
    return {text * (2 * kTenth), Estimate{0, most}};
  }

  CallEstimate join(const Expr& expr) {
    const Estimate list = some(expr.arg(0));
    Estimate size = expr.arg(0).type->element == nullptr ? fixed(0) : list * item_size(expr.arg(0));
    if (expr.count > 1) {
      const Estimate marks = {list.min > 0 ? list.min - 1 : 0, list.max > 0 ? list.max - 1 : 0};
      size = size + some(expr.arg(1)) * marks;
    }
    return {size * kTenth, size};
  }

  CallEstimate contains_address(const Expr& expr, std::string_view signature) {
    const Estimate bytes = {4, 16};
    Estimate cost = (bytes + bytes) * kTenth;
    if (expr.function == F::kContainsCidr) cost = cost + bytes * kTenth + fixed(1);
    if (signature == ".Cs>b") cost = cost + some(expr.arg(1)) * kTenth;
    return {cost, {}};
  }

  CallEstimate equal_opaque(const Expr& expr) {
    if (expr.count != 2 || expr.arg(0).type->kind != expr.arg(1).type->kind) return kNone;
    const Kind kind = expr.arg(0).type->kind;
    if (kind < Kind::kUrl || kind > Kind::kDecision) return kNone;
    if (kind == Kind::kFormat) return {Estimate{1, 64} * kTenth, {}};
    if (kind == Kind::kUrl) {
      const Size other = size(expr.arg(1));
      return {Estimate{1, other.known ? other.range.max : 1} * kTenth, {}};
    }
    return {fixed(1), {}};
  }

  CallEstimate standard_cost(const Expr& expr, std::string_view signature,
                             const std::vector<Estimate>& costs) {
    const auto of = [&](std::uint32_t i) { return some(expr.arg(i)); };
    switch (expr.function) {
      case F::kFormat:
        return {of(0) * kTenth, {}};
      case F::kBytes:
        if (signature != "s>y") return kNone;
        return {of(0) * kTenth, Estimate{of(0).min, of(0).max * 4}};
      case F::kString:
        if (signature != "y>s") return kNone;
        return {of(0) * kTenth, Estimate{of(0).min / 4, of(0).max}};
      case F::kStringsQuote:
      case F::kJsonpatchEscapeKey:
        return {of(0) * kTenth, Estimate{of(0).min + 2, of(0).max * 2 + 2}};
      case F::kStartsWith:
      case F::kEndsWith:
        return {of(1) * kTenth, {}};
      case F::kIn:
        if (signature[1] != 'L') return kNone;
        return {of(1) * 1.0, {}};
      case F::kMatches:
        return expr.flag ? CallEstimate{pattern(of(0), of(1)), {}} : kNone;
      case F::kContains:
        return {(of(0) * kTenth) * (of(1) * kTenth), {}};
      case F::kAnd:
      case F::kOr:
        return logical(costs);
      case F::kConditional:
        return conditional(expr, costs);
      case F::kAdd:
        return sum(expr, signature);
      case F::kLess:
      case F::kLessEqual:
      case F::kGreater:
      case F::kGreaterEqual:
        if (!signature.starts_with("ss") && !signature.starts_with("yy")) return kNone;
        return {smaller(of(0), of(1)), {}};
      case F::kEqual:
      case F::kNotEqual:
        return {smaller(of(0), of(1)), {}};
      default:
        return kNone;
    }
  }

  static Estimate smaller(Estimate a, Estimate b) {
    const std::uint64_t max = std::min(a.max, b.max);
    return Estimate{max > 0 ? std::uint64_t{1} : 0, max} * kTenth;
  }

  static CallEstimate logical(const std::vector<Estimate>& costs) {
    Estimate sum = costs[0];
    for (std::size_t i = 1; i < costs.size(); ++i) sum.max = plus(sum.max, costs[i].max);
    return {sum, {}};
  }

  CallEstimate conditional(const Expr& expr, const std::vector<Estimate>& costs) {
    note_entry(expr, either_entry(entry(expr.arg(1)), entry(expr.arg(2))));
    return {costs[0] + either(costs[1], costs[2]), either(some(expr.arg(1)), some(expr.arg(2)))};
  }

  CallEstimate sum(const Expr& expr, std::string_view signature) {
    if (signature != "ss>s" && signature != "yy>y" && signature != "LALA>LA") return kNone;
    const Estimate size = some(expr.arg(0)) + some(expr.arg(1));
    note_entry(expr, either_entry(entry(expr.arg(0)), entry(expr.arg(1))));
    return {signature[0] == 'L' ? fixed(1) : size * kTenth, size};
  }

  const Type* root_;
  std::vector<Notes> notes_;
  std::vector<Local> locals_;
};

}  // namespace

Estimate estimate_cost(const Expr& root, const Type* type) { return Coster(type).cost(root); }

}  // namespace tabernetes::cel

// The macros has, all, exists, exists_one, map, filter, their forms with two variables, optMap and
// sortBy. Source: cel-go 0.26 parser/macro.go, ext/comprehensions.go, cel/library.go, ext/lists.go.
#include <iterator>

#include "cel/parser.h"

namespace tabernetes::cel {
namespace {

using F = Function;

enum class Macro : std::uint8_t {
  kHas,
  kAll,
  kExists,
  kExistsOne,
  kMap,
  kFilter,
  kOptMap,
  kOptFlatMap,
  kSortBy,
  kTransformList,
  kTransformMap,
  kTransformMapEntry,
};

struct MacroRow {
  std::string_view name;
  Macro macro;
  std::uint8_t least, most;  // number of arguments
  bool two = false;          // two variables
};

constexpr MacroRow kMacros[] = {
    {"all", Macro::kAll, 2, 2},
    {"exists", Macro::kExists, 2, 2},
    {"exists_one", Macro::kExistsOne, 2, 2},
    {"map", Macro::kMap, 2, 3},
    {"filter", Macro::kFilter, 2, 2},
    {"optMap", Macro::kOptMap, 2, 2},
    {"optFlatMap", Macro::kOptFlatMap, 2, 2},
    {"sortBy", Macro::kSortBy, 2, 2},
    {"all", Macro::kAll, 3, 3, true},
    {"exists", Macro::kExists, 3, 3, true},
    {"exists_one", Macro::kExistsOne, 3, 3, true},
    {"existsOne", Macro::kExistsOne, 3, 3, true},
    {"transformList", Macro::kTransformList, 3, 4, true},
    {"transformMap", Macro::kTransformMap, 3, 4, true},
    {"transformMapEntry", Macro::kTransformMapEntry, 3, 4, true},
};

class Expander {
 public:
  Expander(Expr* call, const ExprMaker& maker, Issues& issues)
      : call_(call), make_(maker), issues_(issues), at_(call->offset) {}

  Expr* has() {
    Expr* what = call_->args[0];
    if (what->kind != ExprKind::kSelect || what->flag) {
      return fail(what, "invalid argument to has() macro");
    }
    Expr* test = make_.make(ExprKind::kSelect, at_);
    test->flag = true;
    test->name = what->name;
    test->args = what->args;
    test->count = 1;
    return test;
  }

  Expr* expand(const MacroRow& row) {
    const Macro macro = row.macro;
    if (macro == Macro::kOptMap || macro == Macro::kOptFlatMap) return opt_map(macro);
    if (macro == Macro::kSortBy) return sort_by();
    if (!read_variables(row)) return nullptr;
    const std::uint32_t first = row.two ? 3 : 2;  // first argument after the variables
    Expr* last = call_->args[call_->count - 1];
    Expr* filter = call_->count > first + 1 ? call_->args[first] : nullptr;
    switch (macro) {
      case Macro::kAll:
        return fold(boolean(true), not_false(carried()),
                    make_.call(F::kAnd, {carried(), last}, at_), carried());
      case Macro::kExists:
        return fold(boolean(false), not_false(make_.call(F::kNot, {carried()}, at_)),
                    make_.call(F::kOr, {carried(), last}, at_), carried());
      case Macro::kExistsOne:
        return fold(number(0), boolean(true),
                    choose(last, make_.call(F::kAdd, {carried(), number(1)}, at_)),
                    make_.call(F::kEqual, {carried(), number(1)}, at_));
      case Macro::kFilter:
        return collect(make_.list({}, at_), F::kAdd, make_.list({call_->args[1]}, at_), nullptr,
                       last);
      case Macro::kMap:
      case Macro::kTransformList:
        return collect(make_.list({}, at_), F::kAdd, make_.list({last}, at_), nullptr, filter);
      case Macro::kTransformMap:
        return collect(make_.make(ExprKind::kMap, at_), F::kMapInsert,
                       make_.ident(names_.item, at_), last, filter);
      default:
        return collect(make_.make(ExprKind::kMap, at_), F::kMapInsert, last, nullptr, filter);
    }
  }

 private:
  Expr* fail(const Expr* where, std::string_view why) {
    issues_.report(where->offset, std::string(why));
    return nullptr;
  }

  Expr* carried() { return make_.ident(kCarried, at_); }
  Expr* boolean(bool b) { return make_.literal(make_bool(b), at_); }
  Expr* number(int i) { return make_.literal(make_int(i), at_); }
  Expr* not_false(Expr* what) { return make_.call(F::kNotStrictlyFalse, {what}, at_); }
  Expr* choose(Expr* condition, Expr* step) {
    return make_.call(F::kConditional, {condition, step, carried()}, at_);
  }

  // Checks and takes the names of the loop variables.
  bool read_variables(const MacroRow& row) {
    const bool quantifier = row.macro <= Macro::kExistsOne;
    const std::string_view why = row.two      ? "argument must be a simple name"
                                 : quantifier ? "argument must be a simple name"
                                              : "argument is not an identifier";
    const std::uint32_t count = row.two ? 2 : 1;
    for (std::uint32_t i = 1; i <= count; ++i) {
      const Expr* name = call_->args[i];
      if (name->kind != ExprKind::kIdent) return fail(name, why), false;
      if (name->name == "__result__") {
        return fail(name, "iteration variable overwrites accumulator variable"), false;
      }
    }
    names_.item = call_->args[1]->name;
    if (!row.two) return true;
    names_.second = call_->args[2]->name;
    if (names_.item != names_.second) return true;
    return fail(call_->args[2], "duplicate variable name: " + std::string(names_.item)), false;
  }

  Expr* fold(Expr* init, Expr* condition, Expr* step, Expr* result) {
    return fold(call_->args[0], kCarried, {init, condition, step, result});
  }

  Expr* fold(Expr* range, std::string_view name, std::initializer_list<Expr*> parts) {
    Expr* made = make_.make(ExprKind::kFold, at_);
    names_.carried = name;
    made->names = new (make_.arena.allocate(sizeof(FoldNames))) FoldNames(names_);
    Expr* all[kFoldParts] = {range};
    std::copy(parts.begin(), parts.end(), all + 1);
    make_.set_args(made, all, kFoldParts);
    return made;
  }

  // Adds `what` (and `more`) to the accumulator, if `filter` holds.
  Expr* collect(Expr* init, Function add, Expr* what, Expr* more, Expr* filter) {
    Expr* step = more == nullptr ? make_.call(add, {carried(), what}, at_)
                                 : make_.call(add, {carried(), what, more}, at_);
    if (filter != nullptr) step = choose(filter, step);
    return fold(init, boolean(true), step, carried());
  }

  // Makes a loop over an empty list, whose result can use the accumulator under a name.
  Expr* bind(std::string_view name, Expr* value, Expr* result) {
    names_.item = "#unused";
    return fold(make_.list({}, at_), name, {value, boolean(false), make_.ident(name, at_), result});
  }

  Expr* opt_map(Macro macro) {
    const bool flat = macro == Macro::kOptFlatMap;
    Expr* target = call_->args[0];
    const Expr* name = call_->args[1];
    if (name->kind != ExprKind::kIdent) {
      return fail(name, flat ? "optFlatMap() variable name must be a simple identifier"
                             : "optMap() variable name must be a simple identifier");
    }
    Expr* mapped = bind(name->name, make_.method("value", {target}, at_), call_->args[2]);
    if (!flat) mapped = make_.call(F::kOptionalOf, {mapped}, at_);
    return make_.call(
        F::kConditional,
        {make_.method("hasValue", {target}, at_), mapped, make_.call(F::kOptionalNone, {}, at_)},
        at_);
  }

  Expr* sort_by() {
    constexpr std::string_view kInput = "@__sortBy_input__";
    Expr* target = call_->args[0];
    if (target->kind != ExprKind::kList && target->kind != ExprKind::kSelect &&
        target->kind != ExprKind::kIdent && target->kind != ExprKind::kFold &&
        target->kind != ExprKind::kCall) {
      return fail(target,
                  "sortBy can only be applied to a list, identifier, comprehension, call or select "
                  "expression");
    }
    const Expr* name = call_->args[1];
    if (name->kind != ExprKind::kIdent) return fail(name, "argument is not an identifier");
    names_.item = name->name;
    Expr* keys =
        fold(make_.ident(kInput, at_), kCarried,
             {make_.list({}, at_), boolean(true),
              make_.call(F::kAdd, {carried(), make_.list({call_->args[2]}, at_)}, at_), carried()});
    return bind(kInput, target,
                make_.method("@sortByAssociatedKeys", {make_.ident(kInput, at_), keys}, at_));
  }

  Expr* call_;
  const ExprMaker& make_;
  Issues& issues_;
  std::uint32_t at_;
  FoldNames names_;
};

}  // namespace

Expr* expand_macro(Expr* call, const ExprMaker& maker, Issues& issues) {
  Expander expander(call, maker, issues);
  if (!call->flag) {
    return call->name == "has" && call->count == 1 ? expander.has() : call;
  }
  const std::uint32_t args = call->count - 1;
  for (const MacroRow& row : kMacros) {
    if (row.name == call->name && args >= row.least && args <= row.most) {
      return expander.expand(row);
    }
  }
  return call;
}

}  // namespace tabernetes::cel

#include "cel/checker.h"

#include <vector>

#include "base/regex/pattern.h"
#include "base/text/parts.h"
#include "cel/evaluator.h"
#include "cel/message_type.h"
#include "cel/print.h"
#include "cel/type_relations.h"

namespace tabernetes::cel {
namespace {

using F = Function;

struct TypeName {
  std::string_view name;
  Kind kind;
};

constexpr TypeName kTypeNames[] = {
    {"bool", Kind::kBool},
    {"bytes", Kind::kBytes},
    {"double", Kind::kDouble},
    {"google.protobuf.Duration", Kind::kDuration},
    {"google.protobuf.Timestamp", Kind::kTimestamp},
    {"int", Kind::kInt},
    {"list", Kind::kList},
    {"map", Kind::kMap},
    {"net.CIDR", Kind::kCidr},
    {"net.IP", Kind::kIp},
    {"null_type", Kind::kNull},
    {"optional_type", Kind::kOptional},
    {"string", Kind::kString},
    {"type", Kind::kType},
    {"uint", Kind::kUint},
};

// Returns a.b.c as a text; empty if the expression is anything but names.
std::string qualified_name(const Expr& expr) {
  if (expr.kind == ExprKind::kIdent) return std::string(expr.name);
  if (expr.kind != ExprKind::kSelect || expr.flag) return {};
  const std::string prefix = qualified_name(expr.arg(0));
  return prefix.empty() ? prefix : prefix + "." + std::string(expr.name);
}

// Parses the letters of a signature. Each call gets fresh type parameters.
class Signature {
 public:
  Signature(std::string_view text, TypeRelations& relations, json::Arena& arena)
      : text_(text), relations_(relations), arena_(arena) {
    method = text_.starts_with('.');
    if (method) text_.remove_prefix(1);
  }

  bool method = false;

  std::size_t count_arguments() const {
    std::size_t count = 0;
    int open = 1;
    for (const char c : text_.substr(0, text_.find('>'))) {
      open += c == 'M' ? 1 : c == 'L' || c == 'O' || c == 'Y' ? 0 : -1;
      if (open == 0) ++count, open = 1;
    }
    return count;
  }

  const Type* next() {
    if (text_[0] == '>') text_.remove_prefix(1);
    const char c = text_[0];
    text_.remove_prefix(1);
    if (c == 'L') return list_of(*next(), arena_);
    if (c == 'O') return optional_of(*next(), arena_);
    if (c == 'Y') return type_of(*next(), arena_);
    if (c == 'M') {
      const Type* key = next();
      return map_of(*key, *next(), arena_);
    }
    constexpr std::string_view kOpen = "ABKVT";
    if (const std::size_t open = kOpen.find(c); open != kOpen.npos) {
      if (open_[open] == nullptr) open_[open] = relations_.new_unknown();
      return open_[open];
    }
    return &simple_type(kind(c));
  }

 private:
  static Kind kind(char c) {
    constexpr std::string_view kLetters = "biudsyrtUQICSFzZGRD";
    constexpr Kind kKinds[] = {
        Kind::kBool,       Kind::kInt,           Kind::kUint,       Kind::kDouble,
        Kind::kString,     Kind::kBytes,         Kind::kDuration,   Kind::kTimestamp,
        Kind::kUrl,        Kind::kQuantity,      Kind::kIp,         Kind::kCidr,
        Kind::kSemver,     Kind::kFormat,        Kind::kAuthorizer, Kind::kPathCheck,
        Kind::kGroupCheck, Kind::kResourceCheck, Kind::kDecision};
    const std::size_t at = kLetters.find(c);
    return at == kLetters.npos ? Kind::kDyn : kKinds[at];
  }

  std::string_view text_;
  TypeRelations& relations_;
  json::Arena& arena_;
  const Type* open_[5] = {};
};

class Checker {
 public:
  Checker(std::span<const Variable> variables, Language language, json::Arena& arena,
          Issues& issues)
      : variables_(variables),
        language_(language),
        arena_(arena),
        issues_(issues),
        relations_(arena) {}

  std::uint64_t mentioned = 0;

  void check(Expr& expr) {
    switch (expr.kind) {
      case ExprKind::kLiteral:
        expr.type = &simple_type(expr.literal.kind);
        break;
      case ExprKind::kIdent:
        check_ident(expr);
        break;
      case ExprKind::kSelect:
        check_select(expr);
        break;
      case ExprKind::kCall:
        check_call(expr);
        break;
      case ExprKind::kList:
        check_list(expr);
        break;
      case ExprKind::kMap:
        check_map(expr);
        break;
      case ExprKind::kMessage:
        check_message(expr);
        break;
      case ExprKind::kFold:
        check_fold(expr);
        break;
    }
  }

  // Replaces the type parameters in the tree by the types inferred for them.
  void finish(Expr& expr) {
    expr.type = relations_.substitute(*expr.type, true);
    for (std::uint32_t i = 0; i < expr.count; ++i) {
      if (expr.arg(i).type != nullptr) finish(expr.arg(i));
    }
  }

 private:
  static const Type& error_type() { return simple_type(Kind::kError); }
  static const Type& dyn() { return simple_type(Kind::kDyn); }

  void report(const Expr& where, std::string message) {
    issues_.report(where.offset, std::move(message));
  }

  void undeclared(const Expr& where, std::string_view name) {
    report(where, "undeclared reference to '" + std::string(name) + "' (in container '')");
  }

  void mismatch(const Expr& where, const Type& expected, const Type& actual) {
    report(where,
           "expected type '" + to_string(expected) + "' but found '" + to_string(actual) + "'");
  }

  const Type& known(const Type& type) { return *relations_.substitute(type, false); }

  bool find_variable(Expr& expr, std::string_view name) {
    for (std::size_t i = locals_.size(); i-- > 0;) {
      if (locals_[i].name != name) continue;
      expr.slot = -1 - static_cast<std::int32_t>(i);
      expr.type = locals_[i].type;
      return true;
    }
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      if (variables_[i].name != name) continue;
      expr.kind = ExprKind::kIdent;
      expr.count = 0;
      expr.slot = static_cast<std::int32_t>(i);
      expr.type = variables_[i].type;
      mentioned |= std::uint64_t{1} << i;
      return true;
    }
    return false;
  }

  bool find_type(Expr& expr, std::string_view name) {
    for (const TypeName& row : kTypeNames) {
      if (row.name != name) continue;
      const Type* type = &simple_type(row.kind);
      if (row.kind == Kind::kList || row.kind == Kind::kOptional) {
        type = row.kind == Kind::kList ? list_of(dyn(), arena_) : optional_of(dyn(), arena_);
      }
      if (row.kind == Kind::kMap) type = map_of(dyn(), dyn(), arena_);
      expr.kind = ExprKind::kIdent;
      expr.is_type = true;
      expr.count = 0;
      expr.literal = make_type(simple_type(row.kind));
      expr.type = type_of(*type, arena_);
      return true;
    }
    return find_message_type(expr, name);
  }

  bool find_message_type(Expr& expr, std::string_view name) {
    if (language_ != Language::kMutations || !is_message_name(name)) return false;
    const Type* type = message_type(arena_.copy(name), arena_);
    expr.kind = ExprKind::kIdent;
    expr.is_type = true;
    expr.count = 0;
    expr.literal = make_type(*type);
    expr.type = type_of(*type, arena_);
    return true;
  }

  static bool is_message_name(std::string_view name) {
    return name == "JSONPatch" || name == "Object" || name.starts_with("Object.");
  }

  void check_ident(Expr& expr) {
    if (find_variable(expr, expr.name) || find_type(expr, expr.name)) return;
    expr.type = &error_type();
    undeclared(expr, expr.name);
  }

  void check_select(Expr& expr) {
    const std::string name = qualified_name(expr);
    if (!name.empty() && (find_variable(expr, name) || find_type(expr, name))) return;
    const Type* type = &field_type(expr, expr.arg(0), expr.name, false);
    if (expr.flag) type = &simple_type(Kind::kBool);
    expr.type = &known(*type);
  }

  const Type& field_type(Expr& expr, Expr& operand, std::string_view field, bool optional) {
    check(operand);
    const Type* target = &known(*operand.type);
    if (target->kind == Kind::kOptional) {
      optional = true;
      target = target->element;
    }
    const Type* found = &dyn();
    if (target->kind == Kind::kMap) {
      found = target->element;
    } else if (is_message(*target)) {
      found = &dyn();
    } else if (target->kind == Kind::kStruct) {
      const Field* declared = target->field(field);
      found = declared != nullptr && declared->type->exposed ? declared->type : &error_type();
      if (found == &error_type()) report(expr, "undefined field '" + std::string(field) + "'");
    } else if (target->kind == Kind::kParameter) {
      relations_.assignable(dyn(), *target);
    } else if (target->kind >= Kind::kUrl && target->kind <= Kind::kDecision &&
               target->kind != Kind::kIp && target->kind != Kind::kCidr) {
      report(expr, "undefined field '" + std::string(field) + "'");
      found = &error_type();
    } else if (!is_dyn_or_error(*target)) {
      report(expr, "type '" + to_string(*target) + "' does not support field selection");
    }
    return optional ? *optional_of(*found, arena_) : *found;
  }

  void check_call(Expr& expr) {
    if (expr.name == "_?._" && expr.count == 2 && !expr.flag) {
      expr.function = F::kOptSelect;
      const Type& type = field_type(expr, expr.arg(0), expr.arg(1).literal.view(), true);
      check(expr.arg(1));
      expr.type = &known(type);
      return;
    }
    const std::uint32_t first = expr.flag ? 1 : 0;
    for (std::uint32_t i = first; i < expr.count; ++i) check(expr.arg(i));
    if (expr.flag) {
      const std::string prefix = qualified_name(expr.arg(0));
      const F named =
          prefix.empty() ? F::kNone : find_function(prefix + "." + std::string(expr.name));
      if (named != F::kNone) {
        ++expr.args;
        --expr.count;
        expr.flag = false;
        expr.name = function_row(named).name;
      } else {
        check(expr.arg(0));
      }
    }
    expr.function = find_function(expr.name);
    if (expr.function == F::kJsonpatchEscapeKey && language_ != Language::kMutations) {
      expr.function = F::kNone;
    }
    if (expr.function == F::kNone) {
      undeclared(expr, expr.name);
      expr.type = &error_type();
      return;
    }
    resolve(expr);
  }

  void resolve(Expr& expr) {
    if (expr.function == F::kAnd || expr.function == F::kOr) return check_terms(expr);
    std::vector<const Type*> args;
    for (std::uint32_t i = 0; i < expr.count; ++i) args.push_back(expr.arg(i).type);
    const Type* result = nullptr;
    std::string_view rest = function_row(expr.function).signatures;
    for (std::uint64_t bit = 1; !rest.empty(); bit <<= 1) {
      const Type* type = apply(take_part(rest, ' '), expr, args);
      if (type == nullptr) continue;
      expr.overloads |= bit;
      if (result == nullptr) {
        result = type;
      } else if (result->kind != Kind::kDyn && !same_type(*type, *result)) {
        result = &dyn();
      }
    }
    if (result == nullptr) no_overload(expr, args);
    expr.type = result == nullptr ? &error_type() : result;
  }

  // Returns the result type of a signature, or null if it does not match.
  const Type* apply(std::string_view text, const Expr& expr, std::vector<const Type*>& args) {
    Signature signature(text, relations_, arena_);
    if (signature.method != expr.flag || signature.count_arguments() != args.size()) return nullptr;
    std::vector<const Type*> wanted;
    for (std::size_t i = 0; i < args.size(); ++i) wanted.push_back(signature.next());
    if (!relations_.assignable(args.data(), wanted.data(), args.size())) return nullptr;
    return &known(*signature.next());
  }

  void check_terms(Expr& expr) {
    const Type& boolean = simple_type(Kind::kBool);
    expr.type = &boolean;
    expr.overloads = 1;
    for (std::uint32_t i = 0; i < expr.count; ++i) {
      if (relations_.assignable(*expr.arg(i).type, boolean)) continue;
      mismatch(expr.arg(i), boolean, *expr.arg(i).type);
      expr.type = &error_type();
    }
  }

  void no_overload(const Expr& expr, const std::vector<const Type*>& args) {
    std::string shown;
    for (std::size_t i = 0; i < args.size(); ++i) {
      const std::string type = to_string(*relations_.substitute(*args[i], true));
      if (expr.flag && i == 0) {
        shown += type + ".(";
      } else {
        shown += (i == 0 ? "(" : i == 1 && expr.flag ? "" : ", ") + type;
      }
    }
    if (args.empty()) shown += "(";
    report(expr, "found no matching overload for '" + std::string(expr.name) + "' applied to '" +
                     shown + ")'");
  }

  // Returns the type inside an optional item; reports an issue if it is not optional.
  const Type& unwrap(const Expr& expr) {
    if (expr.type->kind == Kind::kOptional) return *expr.type->element;
    if (expr.type->kind != Kind::kDyn) {
      mismatch(expr, *optional_of(*expr.type, arena_), *expr.type);
    }
    return *expr.type;
  }

  // Items of different types become dyn here; check_literals() reports them.
  const Type* join(const Type* before, const Type& now) {
    if (before == nullptr) return &now;
    if (relations_.assignable(*before, now)) return &TypeRelations::most_general(*before, now);
    return &dyn();
  }

  void check_list(Expr& expr) {
    const Type* items = nullptr;
    for (std::uint32_t i = 0; i < expr.count; ++i) {
      check(expr.arg(i));
      items = join(items, expr.is_optional(i) ? unwrap(expr.arg(i)) : *expr.arg(i).type);
    }
    expr.type = list_of(items == nullptr ? *relations_.new_unknown() : *items, arena_);
  }

  void check_map(Expr& expr) {
    const Type* keys = nullptr;
    const Type* values = nullptr;
    for (std::uint32_t i = 0; i + 1 < expr.count; i += 2) {
      Expr& key = expr.arg(i);
      Expr& value = expr.arg(i + 1);
      check(key);
      keys = join(keys, *key.type);
      check(value);
      values = join(values, expr.is_optional(i / 2) ? unwrap(value) : *value.type);
    }
    if (keys == nullptr) {
      keys = relations_.new_unknown();
      values = relations_.new_unknown();
    }
    expr.type = map_of(*keys, *values, arena_);
  }

  // Only mutations can construct messages: Object, Object.spec and so on, whose fields may have any
  // type, and JSONPatch.
  void check_message(Expr& expr) {
    const bool patch = expr.name == "JSONPatch";
    if (language_ != Language::kMutations || !is_message_name(expr.name)) {
      return refuse_message(expr);
    }
    expr.type = message_type(expr.name, arena_);
    for (std::uint32_t i = 0; i + 1 < expr.count; i += 2) {
      check(expr.arg(i));
      check(expr.arg(i + 1));
      const Type& given = expr.is_optional(i / 2) ? unwrap(expr.arg(i + 1)) : *expr.arg(i + 1).type;
      const std::string_view field = expr.arg(i).literal.view();
      if (!patch || field == "value") continue;
      const bool text = field == "op" || field == "path" || field == "from";
      if (text && relations_.assignable(simple_type(Kind::kString), given)) continue;
      report(expr.arg(i), "expected type of field '" + std::string(field) + "' is '" +
                              (text ? "string" : "") + "' but provided type is '" +
                              to_string(*relations_.substitute(given, true)) + "'");
    }
  }

  void refuse_message(Expr& expr) {
    Expr name = expr;
    if (find_type(name, expr.name)) {
      report(expr, "'" + to_string(*name.type->element) + "' is not a message type");
    } else {
      undeclared(expr, expr.name);
    }
    expr.type = &error_type();
    for (std::uint32_t i = 0; i < expr.count; ++i) check(expr.arg(i));
  }

  void check_fold(Expr& expr) {
    check(expr.arg(kRange));
    check(expr.arg(kInit));
    const Type& range = known(*expr.arg(kRange).type);
    const Type& carried = *expr.arg(kInit).type;
    const std::size_t depth = locals_.size();
    locals_.push_back({expr.names->carried, &carried});
    push_items(expr, range);
    for (const FoldPart part : {kCondition, kStep}) {
      check(expr.arg(part));
      const Type& wanted = part == kCondition ? simple_type(Kind::kBool) : carried;
      if (!relations_.assignable(wanted, *expr.arg(part).type)) {
        mismatch(expr.arg(part), wanted, *expr.arg(part).type);
      }
    }
    locals_.resize(depth + 1);
    check(expr.arg(kResult));
    locals_.resize(depth);
    expr.type = &known(*expr.arg(kResult).type);
  }

  void push_items(const Expr& expr, const Type& range) {
    const bool two = !expr.names->second.empty();
    const Type* first = &dyn();
    const Type* second = &dyn();
    if (range.kind == Kind::kList) {
      second = range.element;
      first = two ? &simple_type(Kind::kInt) : second;
    } else if (range.kind == Kind::kMap) {
      first = range.key;
      second = range.element;
    } else if (is_dyn_or_error(range) || range.kind == Kind::kParameter) {
      relations_.assignable(dyn(), range);
    } else {
      report(expr.arg(kRange), "expression of type '" + to_string(range) +
                                   "' cannot be range of a comprehension (must be list, map, or "
                                   "dynamic)");
      first = second = &error_type();
    }
    locals_.push_back({expr.names->item, first});
    if (two) locals_.push_back({expr.names->second, second});
  }

  std::span<const Variable> variables_;
  const Language language_;
  std::vector<Variable> locals_;
  json::Arena& arena_;
  Issues& issues_;
  TypeRelations relations_;
};

class LiteralChecker {
 public:
  LiteralChecker(json::Arena& arena, Issues& issues) : arena_(arena), issues_(issues) {}

  void check(const Expr& expr) {
    if (expr.kind == ExprKind::kCall) check_call(expr);
    // The arguments of format() may have different types.
    const bool formats = expr.kind == ExprKind::kCall && expr.function == F::kFormat;
    if (formats) check_format(expr, issues_);
    formats_ += formats ? 1 : 0;
    if (expr.kind == ExprKind::kList && formats_ == 0) check_items(expr, 1, 0);
    if (expr.kind == ExprKind::kMap && formats_ == 0) {
      check_items(expr, 2, 0);
      check_items(expr, 2, 1);
    }
    for (std::uint32_t i = 0; i < expr.count; ++i) check(expr.arg(i));
    formats_ -= formats ? 1 : 0;
  }

 private:
  void check_call(const Expr& expr) {
    const std::uint32_t place = expr.flag ? 1 : 0;
    if (expr.count <= place || expr.arg(place).kind != ExprKind::kLiteral) return;
    const Value& literal = expr.arg(place).literal;
    bool good = true;
    if (expr.function == F::kDuration || expr.function == F::kTimestamp) {
      good = !convert(expr.function, literal, arena_).is_error();
    } else if (expr.function == F::kMatches) {
      good = Pattern::compile(literal.view()).has_value();
    }
    if (!good) {
      issues_.report(expr.arg(place).offset, "invalid " + std::string(expr.name) + " argument");
    }
  }

  void check_items(const Expr& expr, std::uint32_t step, std::uint32_t from) {
    const Type* first = nullptr;
    for (std::uint32_t i = from; i < expr.count; i += step) {
      const Type* type = expr.arg(i).type;
      const bool optional = expr.is_optional(i / step) && i % step == step - 1;
      if (optional && type->element != nullptr) type = type->element;
      if (first == nullptr) first = type;
      if (same_type(*first, *type)) continue;
      issues_.report(expr.arg(i).offset, "expected type '" + to_string(*first) + "' but found '" +
                                             to_string(*type) + "'");
      if (step == 1) return;
    }
  }

  json::Arena& arena_;
  Issues& issues_;
  int formats_ = 0;  // nesting depth of format() calls
};

}  // namespace

void check(Expr& root, std::span<const Variable> variables, Language language, json::Arena& arena,
           Issues& issues, std::uint64_t& mentioned) {
  Checker checker(variables, language, arena, issues);
  checker.check(root);
  checker.finish(root);
  mentioned = checker.mentioned;
}

void check_literals(const Expr& root, json::Arena& arena, Issues& issues) {
  LiteralChecker(arena, issues).check(root);
}

}  // namespace tabernetes::cel

#include "cel/compile.h"

#include "base/regex/pattern.h"
#include "cel/checker.h"
#include "cel/evaluate.h"
#include "cel/evaluator.h"
#include "cel/mutation.h"
#include "cel/parser.h"
#include "cel/program_parts.h"

namespace tabernetes::cel {
namespace {

using F = Function;

// Evaluates constant subexpressions and compiles patterns, as cel-go's optimiser does: literals
// then cost nothing.
class Planner {
 public:
  explicit Planner(ProgramParts& parts) : parts_(parts) {}

  std::string error;

  void plan(Expr& expr) {
    expr.number = count_++;
    for (std::uint32_t i = 0; i < expr.count; ++i) plan(expr.arg(i));
    if (expr.kind == ExprKind::kCall) compile_pattern(expr);
    if (is_constant(expr)) fold(expr);
    // `in` an empty list is false; the left side is not evaluated.
    if (expr.function == F::kIn && expr.arg(1).kind == ExprKind::kList && expr.arg(1).count == 0) {
      expr.constant = make_bool(false);
      expr.folded = true;
    }
  }

 private:
  static bool is_fixed(const Expr& expr) {
    return expr.kind == ExprKind::kLiteral || expr.folded ||
           (expr.kind == ExprKind::kIdent && expr.is_type);
  }

  static bool is_constant(const Expr& expr) {
    const bool conversion = expr.kind == ExprKind::kCall && expr.count == 1 && is_conversion(expr);
    const bool container =
        (expr.kind == ExprKind::kList || expr.kind == ExprKind::kMap) && expr.optional == nullptr;
    if (!conversion && !container) return false;
    for (std::uint32_t i = 0; i < expr.count; ++i) {
      if (!is_fixed(expr.arg(i))) return false;
    }
    return true;
  }

  static bool is_conversion(const Expr& expr) {
    switch (expr.function) {
      case F::kBool:
      case F::kBytes:
      case F::kDouble:
      case F::kDuration:
      case F::kDyn:
      case F::kInt:
      case F::kString:
      case F::kTimestamp:
      case F::kType:
      case F::kUint:
        return true;
      default:
        return false;
    }
  }

  void fold(Expr& expr) {
    const Outcome outcome = evaluate(expr, {}, parts_.arena, ~std::uint64_t{0});
    if (outcome.is_error()) {
      if (error.empty()) error = outcome.error();
      if (expr.kind == ExprKind::kCall) return;
    }
    expr.constant = outcome.value;
    // Evaluations share the constant, so appending in place is prevented.
    if (outcome.value.is(Kind::kList) && outcome.value.items != nullptr) {
      expr.constant.items->capacity = expr.constant.items->used;
    }
    if (outcome.value.is(Kind::kMap) && outcome.value.entries != nullptr) {
      expr.constant.entries->capacity = expr.constant.entries->used;
    }
    expr.folded = true;
  }

  void compile_pattern(Expr& expr) {
    const bool takes_pattern =
        expr.function == F::kMatches || expr.function == F::kFind || expr.function == F::kFindAll;
    if (!takes_pattern || expr.count < 2 || expr.arg(1).kind != ExprKind::kLiteral) return;
    auto pattern = Pattern::compile(expr.arg(1).literal.view());
    if (!pattern) {
      if (error.empty()) error = pattern.error();
      return;
    }
    parts_.patterns.push_back(std::move(*pattern));
    expr.pattern = &parts_.patterns.back();
  }

  ProgramParts& parts_;
  std::uint32_t count_ = 0;
};

}  // namespace

class Compiler {
 public:
  static tl::expected<Program, std::string> compile(std::string_view source,
                                                    std::span<const Variable> variables,
                                                    Language language) {
    auto parts = std::make_unique<ProgramParts>();
    const std::string_view text = parts->arena.copy(source);
    Issues issues(text);
    Expr* root = parse(text, parts->arena, issues);
    if (root != nullptr) {
      check(*root, variables, language, parts->arena, issues, parts->mentioned);
      if (issues.empty()) check_literals(*root, parts->arena, issues);
    }
    if (!issues.empty()) return tl::make_unexpected(issues.to_string());
    Planner planner(*parts);
    planner.plan(*root);
    parts->root = root;
    Program program(std::move(parts));
    program.plan_error_ = std::move(planner.error);
    return program;
  }
};

tl::expected<Program, std::string> compile(std::string_view source,
                                           std::span<const Variable> variables) {
  return Compiler::compile(source, variables, Language::kUsual);
}

tl::expected<Program, std::string> compile_mutation(std::string_view source,
                                                    std::span<const Variable> variables) {
  return Compiler::compile(source, variables, Language::kMutations);
}

}  // namespace tabernetes::cel

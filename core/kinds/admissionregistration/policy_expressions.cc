#include "kinds/admissionregistration/policy_expressions.h"

#include <string>

#include "base/go/text.h"
#include "kinds/admissionregistration/policy_scope.h"

namespace tabernetes::registry::kinds {
namespace {

using cel::Type;
using json::Value;

bool is_blank(std::string_view text) { return go_trim_space(text).empty(); }

// Returns the error for an expression's result type, or an empty text.
std::string wrong_result(const Type& type, ExpressionUse use) {
  const std::string got = " but got " + to_string(type);
  switch (use) {
    case ExpressionUse::kCondition:
    case ExpressionUse::kValidation:
      return type.kind == cel::Kind::kBool ? "" : "must evaluate to bool" + got;
    case ExpressionUse::kMessage:
      return type.kind == cel::Kind::kString ? "" : "must evaluate to string" + got;
    case ExpressionUse::kAnnotation:
      return type.kind == cel::Kind::kString || type.kind == cel::Kind::kNull
                 ? ""
                 : "must evaluate to one of [string null_type]" + got;
    case ExpressionUse::kApplyConfiguration:
      if (type.kind == cel::Kind::kNull) return "must evaluate to Object but got null_type";
      return to_string(type) == "Object" ? "" : "must evaluate to Object" + got;
    case ExpressionUse::kJsonPatch:
      return to_string(type) == "list(JSONPatch)" ? "" : "must evaluate to list(JSONPatch)" + got;
    case ExpressionUse::kVariable:
      break;
  }
  return {};
}

}  // namespace

void compile_expression(const Field& at, const Value& root, ExpressionUse use) {
  if (is_blank(at.text())) return;
  PolicyScope scope(root, use);
  if (use != ExpressionUse::kCondition && at.text().find("variables") != std::string_view::npos) {
    scope.add_variables(use == ExpressionUse::kVariable ? at.value() : nullptr);
  }
  const auto program = scope.compile(at.text());
  if (!program) return at.invalid("compilation failed: " + program.error());
  std::string wrong = wrong_result(program->result_type(), use);
  if (!wrong.empty()) return at.invalid(wrong);
  if (program->plan_error().empty()) return;
  at.errors().push_back({"InternalError", at.path().text(),
                         "Internal error: program instantiation failed: " + program->plan_error()});
}

}  // namespace tabernetes::registry::kinds

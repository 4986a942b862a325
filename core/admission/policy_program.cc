#include "admission/policy_program.h"

#include "registry/meta/object_meta.h"

namespace tabernetes::admission {

using json::Value;

struct CompiledPolicy::List {
  std::string_view list, member;
  Use use;
};

CompiledPolicy::CompiledPolicy(const Value& policy) : policy_(policy), spec_(*policy.find("spec")) {
  compile(conditions_, {"matchConditions", "expression", Use::kCondition});
  compile(variables_, {"variables", "expression", Use::kVariable});
  compile(validations_, {"validations", "expression", Use::kValidation});
  compile(messages_, {"validations", "messageExpression", Use::kMessage});
  compile(annotations_, {"auditAnnotations", "valueExpression", Use::kAnnotation});
}

std::string_view CompiledPolicy::name() const {
  return registry::metadata_of(policy_)->string_at("name");
}

void CompiledPolicy::compile(Expressions& into, const List& list) {
  const Value* items = spec_.find(list.list);
  if (items == nullptr || !items->is_array()) return;
  const bool each = list.use == Use::kVariable;  // a variable can use the earlier ones
  for (const Value& item : items->items()) {
    if (into.empty() || each) {
      auto& scope = scopes_.emplace_back(policy_, list.use);
      if (list.use != Use::kCondition) {
        scope.add_variables(each ? item.find(list.member) : nullptr);
      }
    }
    PolicyExpression& expression = into.emplace_back();
    expression.item = &item;
    expression.source = item.string_at(list.member);
    expression.scope = &scopes_.back();
    if (expression.source.empty()) continue;
    auto program = expression.scope->compile(expression.source);
    if (program) {
      expression.program.emplace(std::move(*program));
    } else {
      expression.error = "compilation error: compilation failed: " + program.error();
    }
  }
}

}  // namespace tabernetes::admission

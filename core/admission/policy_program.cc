#include "admission/policy_program.h"

#include "registry/meta/object_meta.h"

namespace tabernetes::admission {

using json::Value;

ExpressionList::ExpressionList(const Value& root, const ExpressionSource& source) {
  using Use = registry::kinds::ExpressionUse;
  if (source.items == nullptr || !source.items->is_array()) return;
  const bool each = source.use == Use::kVariable;  // a variable can use the earlier ones
  for (const Value& item : source.items->items()) {
    if (all_.empty() || each) {
      auto& scope = scopes_.emplace_back(root, source.use);
      if (source.use != Use::kCondition) {
        scope.add_variables(each ? item.find(source.member) : nullptr);
      }
    }
    PolicyExpression& expression = all_.emplace_back();
    expression.item = &item;
    const Value* inner = item.find(source.member);
    expression.source = inner != nullptr && inner->is_object() ? inner->string_at("expression")
                                                               : item.string_at(source.member);
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

CompiledPolicy::CompiledPolicy(const Value& policy)
    : policy_(policy),
      spec_(*policy.find("spec")),
      conditions_(policy, source("matchConditions", "expression", Use::kCondition)),
      variables_(policy, source("variables", "expression", Use::kVariable)),
      validations_(policy, source("validations", "expression", Use::kValidation)),
      messages_(policy, source("validations", "messageExpression", Use::kMessage)),
      annotations_(policy, source("auditAnnotations", "valueExpression", Use::kAnnotation)),
      applications_(policy, source("mutations", "applyConfiguration", Use::kApplyConfiguration)),
      patches_(policy, source("mutations", "jsonPatch", Use::kJsonPatch)) {
  for (std::size_t i = 0; i < applications_.all().size(); ++i) {
    const PolicyExpression& applied = applications_.all()[i];
    mutations_.push_back(applied.source.empty() ? &patches_.all()[i] : &applied);
  }
}

std::string_view CompiledPolicy::name() const {
  return registry::metadata_of(policy_)->string_at("name");
}

}  // namespace tabernetes::admission

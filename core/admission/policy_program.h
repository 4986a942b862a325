// A validating admission policy, compiled once for each version of its object. Source: upstream
// 1.36 apiserver pkg/admission/plugin/policy/validating/plugin.go.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinds/admissionregistration/policy_scope.h"

namespace tabernetes::admission {

// An expression and the scope it was compiled in.
struct PolicyExpression {
  const json::Value* item = nullptr;  // the item of the policy's list that contains it
  std::string_view source;            // empty if absent
  const registry::kinds::PolicyScope* scope = nullptr;
  std::optional<cel::Program> program;
  std::string error;  // why it did not compile
};

class CompiledPolicy {
 public:
  // REQUIRES: `policy` outlives this object.
  explicit CompiledPolicy(const json::Value& policy);
  CompiledPolicy(const CompiledPolicy&) = delete;
  CompiledPolicy& operator=(const CompiledPolicy&) = delete;

  const json::Value& policy() const { return policy_; }
  std::string_view name() const;
  const json::Value& spec() const { return spec_; }
  bool fails_open() const { return spec_.string_at("failurePolicy") == "Ignore"; }

  using Expressions = std::deque<PolicyExpression>;
  const Expressions& conditions() const { return conditions_; }
  const Expressions& variables() const { return variables_; }
  const Expressions& validations() const { return validations_; }
  const Expressions& messages() const { return messages_; }  // one for each validation
  const Expressions& annotations() const { return annotations_; }

 private:
  using Use = registry::kinds::ExpressionUse;
  struct List;
  void compile(Expressions& into, const List& list);

  const json::Value& policy_;
  const json::Value& spec_;
  std::deque<registry::kinds::PolicyScope> scopes_;
  Expressions conditions_, variables_, validations_, messages_, annotations_;
};

}  // namespace tabernetes::admission

// The variables of an admission policy's expressions, with their types; used for validation and for
// enforcement. Source: upstream 1.36 apiserver pkg/admission/plugin/cel/{compile,composition}.go.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "cel/compile.h"
#include "kinds/admissionregistration/policy_expressions.h"

namespace tabernetes::registry::kinds {

class PolicyScope {
 public:
  // REQUIRES: `root`, the policy, outlives this object.
  PolicyScope(const json::Value& root, ExpressionUse use);
  PolicyScope(const PolicyScope&) = delete;
  PolicyScope& operator=(const PolicyScope&) = delete;

  // Adds `variables` with those that precede the expression `until` (null: all).
  void add_variables(const json::Value* until);

  // Compiles an expression; the program takes the values of variables() in their order. REQUIRES:
  // this object outlives the program.
  tl::expected<cel::Program, std::string> compile(std::string_view source) const;
  std::span<const cel::Variable> variables() const { return variables_; }

 private:
  const cel::Type* type_of(std::string_view source);

  const json::Value* spec_;
  ExpressionUse use_;
  json::Arena arena_;
  std::vector<cel::Variable> variables_;
  std::deque<cel::Program> programs_;  // own types of variables
};

}  // namespace tabernetes::registry::kinds

// What the expressions of one admission policy see: the variables and their types. The same when a
// policy is stored and when it is enforced.
// Source: upstream 1.36 apiserver pkg/admission/plugin/cel/{compile,composition}.go.
#pragma once

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "cel/compile.h"
#include "kinds/validation/policy_expressions.h"

namespace tabernetes::registry::validation {

class PolicyScope {
 public:
  // `root`, the policy, must outlive it.
  PolicyScope(const json::Value& root, ExpressionUse use);
  PolicyScope(const PolicyScope&) = delete;
  PolicyScope& operator=(const PolicyScope&) = delete;

  // Adds `variables` with those that stand before the expression `until` (null: all).
  void add_variables(const json::Value* until);

  // The program must not outlive the scope; it takes the values of variables() in their order.
  tl::expected<cel::Program, std::string> compile(std::string_view source) const {
    return cel::compile(source, variables_);
  }
  std::span<const cel::Variable> variables() const { return variables_; }

 private:
  const cel::Type* type_of(std::string_view source);

  const json::Value* spec_;
  json::Arena arena_;
  std::vector<cel::Variable> variables_;
  std::deque<cel::Program> programs_;  // types of variables may have been made for them
};

}  // namespace tabernetes::registry::validation

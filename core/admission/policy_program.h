// CEL expressions of admission policies and of webhooks' match conditions, compiled once for each
// version of their object. Source: upstream 1.36 apiserver
// pkg/admission/plugin/policy/{validating,mutating}/plugin.go.
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
  const json::Value* item = nullptr;  // the item of the list that contains it
  std::string_view source;            // empty if absent
  const registry::kinds::PolicyScope* scope = nullptr;
  std::optional<cel::Program> program;
  std::string error;  // why it did not compile
};
using Expressions = std::deque<PolicyExpression>;

// Where the expressions of a list are: in member `member` of each item of `items`, or in member
// `expression` of that one, if it is an object.
struct ExpressionSource {
  const json::Value* items = nullptr;  // may be null
  std::string_view member;
  registry::kinds::ExpressionUse use;
};

// The compiled expressions of a list.
class ExpressionList {
 public:
  // REQUIRES: `root`, the whole object, outlives this one; so does the source.
  ExpressionList(const json::Value& root, const ExpressionSource& source);
  ExpressionList(const ExpressionList&) = delete;
  ExpressionList& operator=(const ExpressionList&) = delete;

  const Expressions& all() const { return all_; }

 private:
  std::deque<registry::kinds::PolicyScope> scopes_;
  Expressions all_;
};

class CompiledPolicy {
 public:
  // REQUIRES: `policy`, which has a spec, outlives this object.
  explicit CompiledPolicy(const json::Value& policy);

  std::string_view name() const;
  const json::Value& spec() const { return spec_; }
  bool fails_open() const { return spec_.string_at("failurePolicy") == "Ignore"; }

  const Expressions& conditions() const { return conditions_.all(); }
  const Expressions& variables() const { return variables_.all(); }
  const Expressions& validations() const { return validations_.all(); }
  const Expressions& messages() const { return messages_.all(); }  // one for each validation
  const Expressions& annotations() const { return annotations_.all(); }
  // Those of a mutating policy, in order; their item is a mutation.
  const std::vector<const PolicyExpression*>& mutations() const { return mutations_; }

 private:
  using Use = registry::kinds::ExpressionUse;
  ExpressionSource source(std::string_view list, std::string_view member, Use use) const {
    return {spec_.find(list), member, use};
  }

  const json::Value& policy_;
  const json::Value& spec_;
  const ExpressionList conditions_, variables_, validations_, messages_, annotations_;
  const ExpressionList applications_, patches_;
  std::vector<const PolicyExpression*> mutations_;
};

}  // namespace tabernetes::admission

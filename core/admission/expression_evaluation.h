// Evaluates expressions of admission policies and match conditions for one request. Source:
// upstream 1.36 apiserver pkg/admission/plugin/cel/{condition,activation,composition}.go,
// pkg/admission/plugin/webhook/matchconditions/matcher.go.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "admission/policy_program.h"
#include "cel/access.h"

namespace tabernetes::admission {

// The costs that all expressions of a list may have together.
inline constexpr std::int64_t kExpressionBudget = 10'000'000;
inline constexpr std::string_view kOutOfBudget =
    "validation failed due to running out of cost budget, no further validation rules will be run";

// The values of the variables, null if absent. They must live as long as the evaluation.
struct PolicyInputs {
  json::Value object, old, namespace_object, request, params;
  json::Arena& arena;
  const cel::Access* access = nullptr;     // null: access checks fail
  cel::AccessState request_resource = {};  // of `authorizer.requestResource`
};

struct Answer {
  cel::Value value;
  std::string error;  // empty on success
};

// Evaluates the expressions of one list, which share a cost budget and the variables they use.
class Evaluation {
 public:
  // `variables` are those of the policy; null: none.
  Evaluation(const Expressions* variables, const PolicyInputs& inputs,
             std::int64_t budget = kExpressionBudget);
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  bool out_of_budget() const { return budget_ < 0; }
  std::int64_t budget() const { return budget_; }

  Answer run(const PolicyExpression& expression);

 private:
  // A variable, evaluated on first use.
  class Variable final : public cel::Lazy {
   public:
    Variable(Evaluation& all, const PolicyExpression& source) : all_(all), source_(source) {}

    cel::Value get() override;

   private:
    cel::Value make() const;
    cel::Value failed(std::string_view step, std::string_view why) const;

    Evaluation& all_;
    const PolicyExpression& source_;
    cel::Value value_;
    bool known_ = false;
  };

  cel::Outcome evaluate(const PolicyExpression& expression);
  cel::Value value_of(const cel::Variable& variable) const;

  const PolicyInputs& inputs_;
  std::int64_t budget_;
  std::deque<Variable> lazy_;
  cel::Value variables_;
};

enum class Applies { kYes, kNo, kFailed };

// Evaluates match conditions. kFailed: `error` says why none could be decided.
Applies check_conditions(const Expressions& conditions, const PolicyInputs& inputs, bool fails_open,
                         std::string& error);

}  // namespace tabernetes::admission

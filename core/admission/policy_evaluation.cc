#include "admission/policy_evaluation.h"

#include <cstdint>
#include <deque>

#include "base/go/text.h"

namespace tabernetes::admission {
namespace {

using json::Value;
using registry::kinds::PolicyScope;

constexpr std::int64_t kBudget = 10'000'000;
constexpr std::int64_t kConditionBudget = 2'500'000;
constexpr std::size_t kLongestMessage = 5 * 1024;
constexpr std::string_view kOutOfBudget =
    "validation failed due to running out of cost budget, no further validation rules will be run";

struct Answer {
  cel::Value value;
  std::string error;  // empty on success
};

// Evaluates the expressions of one list, which share a cost budget and the variables they use.
class Evaluation {
 public:
  Evaluation(const CompiledPolicy& policy, const PolicyInputs& inputs, std::int64_t budget)
      : inputs_(inputs), budget_(budget), variables_(cel::make_map(inputs.arena)) {
    for (const PolicyExpression& variable : policy.variables()) {
      const std::string_view name = variable.item->string_at("name");
      cel::map_insert(variables_, cel::make_string(name),
                      cel::make_lazy(lazy_.emplace_back(*this, variable)), inputs.arena);
    }
  }

  bool out_of_budget() const { return budget_ < 0; }
  std::int64_t budget() const { return budget_; }

  Answer run(const PolicyExpression& expression) {
    if (!expression.program) return {{}, expression.error};
    const cel::Outcome outcome = evaluate(expression);
    if (out_of_budget()) return {{}, std::string(kOutOfBudget)};
    if (!outcome.is_error()) return {outcome.value, {}};
    std::string text = "expression '";
    text.append(expression.source).append("' resulted in error: ").append(outcome.error());
    return {{}, text};
  }

 private:
  // A variable, evaluated on first use.
  class Variable final : public cel::Lazy {
   public:
    Variable(Evaluation& all, const PolicyExpression& source) : all_(all), source_(source) {}

    cel::Value get() override {
      if (!known_) value_ = make();
      known_ = true;
      return value_;
    }

   private:
    cel::Value make() const {
      if (!source_.program) return failed("compile", source_.error);
      const cel::Outcome outcome = all_.evaluate(source_);
      return outcome.is_error() ? failed("evaluate", outcome.error()) : outcome.value;
    }

    cel::Value failed(std::string_view step, std::string_view why) const {
      std::string text = "composited variable " + go_quote(source_.item->string_at("name"));
      text.append(" fails to ").append(step).append(": ").append(why);
      return cel::make_error(text, all_.inputs_.arena);
    }

    Evaluation& all_;
    const PolicyExpression& source_;
    cel::Value value_;
    bool known_ = false;
  };

  cel::Outcome evaluate(const PolicyExpression& expression) {
    std::vector<cel::Value> values;
    for (const cel::Variable& variable : expression.scope->variables()) {
      values.push_back(value_of(variable));
    }
    const cel::Outcome outcome = expression.program->evaluate(values, inputs_.arena);
    const auto cost = static_cast<std::int64_t>(outcome.cost);
    budget_ = cost > budget_ ? -1 : budget_ - cost;
    return outcome;
  }

  cel::Value value_of(const cel::Variable& variable) const {
    if (variable.name == "variables") return variables_;
    struct Input {
      std::string_view name;
      const Value& value;
    };
    const Input known[] = {{"object", inputs_.object},
                           {"oldObject", inputs_.old},
                           {"namespaceObject", inputs_.namespace_object},
                           {"request", inputs_.request},
                           {"params", inputs_.params}};
    // Typed only for the checker; the values are plain data.
    for (const Input& input : known) {
      if (input.name != variable.name) continue;
      return cel::from_tree(input.value, cel::simple_type(cel::Kind::kDyn), inputs_.arena);
    }
    return cel::make_error("access reviews are not supported in policies", inputs_.arena);
  }

  const PolicyInputs& inputs_;
  std::int64_t budget_;
  std::deque<Variable> lazy_;
  cel::Value variables_;
};

enum class Applies { kYes, kNo, kFailed };

Applies check_conditions(const CompiledPolicy& policy, const PolicyInputs& inputs,
                         std::string& error) {
  // Conditions have no access to the namespace.
  PolicyInputs seen{inputs.object, inputs.old, {}, inputs.request, inputs.params, inputs.arena};
  Evaluation evaluation(policy, seen, kConditionBudget);
  std::vector<std::string> errors;
  bool skips = false;
  for (const PolicyExpression& condition : policy.conditions()) {
    Answer answer = evaluation.run(condition);
    if (evaluation.out_of_budget()) {
      errors = {std::move(answer.error)};
      skips = false;
      break;
    }
    if (!answer.error.empty()) {
      errors.push_back(std::move(answer.error));
    } else {
      skips = skips || (answer.value.is(cel::Kind::kBool) && !answer.value.boolean);
    }
  }
  if (skips) return Applies::kNo;
  if (errors.empty()) return Applies::kYes;
  error = go_aggregate(errors);
  return policy.fails_open() ? Applies::kNo : Applies::kFailed;
}

// Returns the result of a messageExpression; empty if it is unusable.
std::string_view message_of(const Answer& answer) {
  if (!answer.error.empty() || !answer.value.is(cel::Kind::kString)) return {};
  const std::string_view text = go_trim_space(answer.value.view());
  return text.size() > kLongestMessage || text.find('\n') != text.npos ? std::string_view() : text;
}

Denial violated(const PolicyExpression& validation, std::string_view message) {
  if (message.empty()) message = go_trim_space(validation.item->string_at("message"));
  Denial denial;
  denial.reason = validation.item->string_at("reason");
  denial.message = message.empty()
                       ? "failed expression: " + std::string(go_trim_space(validation.source))
                       : std::string(message);
  return denial;
}

void check_annotations(const CompiledPolicy& policy, const PolicyInputs& inputs,
                       std::vector<Denial>& denials) {
  Evaluation evaluation(policy, inputs, kBudget);
  for (const PolicyExpression& annotation : policy.annotations()) {
    Answer answer = evaluation.run(annotation);
    const bool spent = evaluation.out_of_budget();
    if (spent) denials.clear();
    if (!answer.error.empty() && !policy.fails_open()) {
      denials.push_back({std::move(answer.error), {}, !spent});
    }
    if (spent) return;
  }
}

}  // namespace

std::vector<Denial> evaluate(const CompiledPolicy& policy, const PolicyInputs& inputs) {
  std::vector<Denial> denials;
  const auto fail = [&](std::string why) {
    if (!policy.fails_open()) denials.push_back({std::move(why), {}});
  };
  std::string error;
  const Applies applies = check_conditions(policy, inputs, error);
  if (applies == Applies::kFailed) fail(std::move(error));
  if (applies != Applies::kYes) return denials;

  Evaluation evaluation(policy, inputs, kBudget);
  std::vector<Answer> answers;
  for (const PolicyExpression& validation : policy.validations()) {
    answers.push_back(evaluation.run(validation));
    if (evaluation.out_of_budget()) return fail(std::string(kOutOfBudget)), denials;
  }
  Evaluation messages(policy, inputs, evaluation.budget());
  std::vector<Answer> texts;
  for (const PolicyExpression& message : policy.messages()) {
    texts.push_back(message.source.empty() ? Answer() : messages.run(message));
    if (messages.out_of_budget()) break;
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].error.empty()) {
      fail(std::move(answers[i].error));
    } else if (messages.out_of_budget()) {
      fail("failed messageExpression: " + std::string(kOutOfBudget));
    } else if (!answers[i].value.is_true()) {
      denials.push_back(violated(policy.validations()[i], message_of(texts[i])));
    }
  }
  check_annotations(policy, inputs, denials);
  return denials;
}

}  // namespace tabernetes::admission

#include "admission/expression_evaluation.h"

#include <utility>
#include <vector>

#include "base/go/text.h"

namespace tabernetes::admission {
namespace {

using json::Value;

constexpr std::int64_t kConditionBudget = 2'500'000;

}  // namespace

Evaluation::Evaluation(const Expressions* variables, const PolicyInputs& inputs,
                       std::int64_t budget)
    : inputs_(inputs), budget_(budget), variables_(cel::make_map(inputs.arena)) {
  if (variables == nullptr) return;
  for (const PolicyExpression& variable : *variables) {
    const std::string_view name = variable.item->string_at("name");
    cel::map_insert(variables_, cel::make_string(name),
                    cel::make_lazy(lazy_.emplace_back(*this, variable)), inputs.arena);
  }
}

Answer Evaluation::run(const PolicyExpression& expression) {
  if (!expression.program) return {{}, expression.error};
  const cel::Outcome outcome = evaluate(expression);
  if (out_of_budget()) return {{}, std::string(kOutOfBudget)};
  if (!outcome.is_error()) return {outcome.value, {}};
  std::string text = "expression '";
  text.append(expression.source).append("' resulted in error: ").append(outcome.error());
  return {{}, text};
}

cel::Value Evaluation::Variable::get() {
  if (!known_) value_ = make();
  known_ = true;
  return value_;
}

cel::Value Evaluation::Variable::make() const {
  if (!source_.program) return failed("compile", source_.error);
  const cel::Outcome outcome = all_.evaluate(source_);
  return outcome.is_error() ? failed("evaluate", outcome.error()) : outcome.value;
}

cel::Value Evaluation::Variable::failed(std::string_view step, std::string_view why) const {
  std::string text = "composited variable " + go_quote(source_.item->string_at("name"));
  text.append(" fails to ").append(step).append(": ").append(why);
  return cel::make_error(text, all_.inputs_.arena);
}

cel::Outcome Evaluation::evaluate(const PolicyExpression& expression) {
  std::vector<cel::Value> values;
  for (const cel::Variable& variable : expression.scope->variables()) {
    values.push_back(value_of(variable));
  }
  const cel::Outcome outcome = expression.program->evaluate(values, inputs_.arena);
  const auto cost = static_cast<std::int64_t>(outcome.cost);
  budget_ = cost > budget_ ? -1 : budget_ - cost;
  return outcome;
}

cel::Value Evaluation::value_of(const cel::Variable& variable) const {
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
  if (inputs_.access == nullptr) {
    return cel::make_error("there is no authorizer", inputs_.arena);
  }
  cel::AccessState state;
  if (variable.name != "authorizer") state = inputs_.request_resource;
  state.access = inputs_.access;
  return cel::make_access(variable.type->kind, state, inputs_.arena);
}

Applies check_conditions(const Expressions& conditions, const PolicyInputs& inputs, bool fails_open,
                         std::string& error) {
  // Conditions have no access to the namespace.
  PolicyInputs seen = inputs;
  seen.namespace_object = {};
  Evaluation evaluation(nullptr, seen, kConditionBudget);
  std::vector<std::string> errors;
  bool skips = false;
  for (const PolicyExpression& condition : conditions) {
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
  return fails_open ? Applies::kNo : Applies::kFailed;
}

}  // namespace tabernetes::admission

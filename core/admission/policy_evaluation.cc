#include "admission/policy_evaluation.h"

#include "base/go/text.h"

namespace tabernetes::admission {
namespace {

constexpr std::size_t kLongestMessage = 5 * 1024;
constexpr std::size_t kLongestNote = 10 * 1024;

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
                       std::vector<Denial>& denials, AuditTexts& texts) {
  Evaluation evaluation(&policy.variables(), inputs);
  for (const PolicyExpression& annotation : policy.annotations()) {
    Answer answer = evaluation.run(annotation);
    const bool spent = evaluation.out_of_budget();
    if (answer.error.empty() && answer.value.is(cel::Kind::kString)) {
      const std::string_view text = go_trim_space(answer.value.view()).substr(0, kLongestNote);
      if (!text.empty()) texts.emplace_back(annotation.item->string_at("key"), text);
    }
    if (spent) denials.clear();
    if (!answer.error.empty() && !policy.fails_open()) {
      denials.push_back({std::move(answer.error), {}, !spent});
    }
    if (spent) return;
  }
}

}  // namespace

std::vector<Denial> evaluate(const CompiledPolicy& policy, const PolicyInputs& inputs,
                             AuditTexts& notes) {
  std::vector<Denial> denials;
  const auto fail = [&](std::string why, std::size_t expression = 0) {
    if (policy.fails_open()) return;
    denials.push_back({std::move(why), {}});
    denials.back().expression = expression;
  };
  std::string error;
  const Applies applies = check_conditions(policy.conditions(), inputs, policy.fails_open(), error);
  if (applies == Applies::kFailed) fail(std::move(error));
  if (applies != Applies::kYes) return denials;

  Evaluation evaluation(&policy.variables(), inputs);
  std::vector<Answer> answers;
  for (const PolicyExpression& validation : policy.validations()) {
    answers.push_back(evaluation.run(validation));
    if (evaluation.out_of_budget()) return fail(std::string(kOutOfBudget)), denials;
  }
  Evaluation messages(&policy.variables(), inputs, evaluation.budget());
  std::vector<Answer> texts;
  for (const PolicyExpression& message : policy.messages()) {
    texts.push_back(message.source.empty() ? Answer() : messages.run(message));
    if (messages.out_of_budget()) break;
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    if (!answers[i].error.empty()) {
      fail(std::move(answers[i].error), i);
    } else if (messages.out_of_budget()) {
      fail("failed messageExpression: " + std::string(kOutOfBudget), i);
    } else if (!answers[i].value.is_true()) {
      denials.push_back(violated(policy.validations()[i], message_of(texts[i])));
      denials.back().expression = i;
    }
  }
  check_annotations(policy, inputs, denials, notes);
  return denials;
}

}  // namespace tabernetes::admission

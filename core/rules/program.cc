#include "rules/program.h"

#include <string>

#include "base/text/parts.h"

namespace tabernetes::registry::validation {
namespace {

std::int64_t take_signed(const std::uint8_t*& code) {
  const std::uint64_t number = take_number(code);
  const auto half = static_cast<std::int64_t>(number >> 1U);
  return (number & 1U) != 0 ? -half - 1 : half;
}

std::string_view take_text(const std::uint8_t*& code) {
  const std::string_view text(reinterpret_cast<const char*>(code));
  code += text.size() + 1;
  return text;
}

void take_condition(Step& step, const std::uint8_t*& code) {
  const unsigned test = *code++;
  step.test = static_cast<ConditionKind>(test & 0x0FU);
  step.negated = (test & 0x10U) != 0;
  step.otherwise = (test & 0x20U) != 0;
  if (step.test == ConditionKind::kAsk) step.named = static_cast<std::uint32_t>(take_number(code));
}

// Returns true if numbers follow the texts.
bool has_limit(const Step& step) {
  switch (step.what) {
    case StepKind::kGe:
    case StepKind::kLe:
    case StepKind::kGt:
    case StepKind::kEq:
      return step.text.empty();  // otherwise the limit is a path
    case StepKind::kRange:
    case StepKind::kMax:
    case StepKind::kMaxlen:
      return true;
    default:
      return step.test == ConditionKind::kAbove;
  }
}

}  // namespace

Step take_step(Steps& steps) {
  const std::uint8_t* code = steps.begin;
  const unsigned head = *code;
  Step step{code++, static_cast<StepKind>(head >> 2U)};
  const bool holds = step.what <= StepKind::kHere;
  const std::size_t size = holds ? static_cast<std::size_t>(take_number(code)) : 0;
  const std::uint8_t* end = code + size;
  switch (step.what) {
    case StepKind::kIf:
    case StepKind::kAnd:
      take_condition(step, code);
      break;
    case StepKind::kOn:
      step.writes = *code++;
      break;
    case StepKind::kMember:
      step.at_list = (*code & 1U) != 0;
      step.idle = (*code++ & 2U) != 0;
      break;
    case StepKind::kCheck:
    case StepKind::kFiller:
    case StepKind::kRules:
    case StepKind::kIs:
      step.named = static_cast<std::uint32_t>(take_number(code));
      break;
    default:
      break;
  }
  if ((head & 1U) != 0) step.text = take_text(code);
  if ((head & 2U) != 0) step.detail = take_text(code);
  if (has_limit(step)) step.low = take_signed(code);
  if (step.what == StepKind::kRange) step.high = take_signed(code);
  if (holds) step.within = {steps.tables, code, end};
  steps.begin = holds ? end : code;
  return step;
}

bool is_there(const json::Value* value) { return value != nullptr && !value->is_null(); }

bool is_empty(const json::Value* value) {
  if (!is_there(value)) return true;
  if (value->is_string()) return value->as_string().empty();
  return value->is_array() && value->size() == 0;
}

bool has_value(const json::Value* value, std::string_view choices) {
  if (value == nullptr) return false;
  std::string number;
  std::string_view text;
  if (value->is_string()) {
    text = value->as_string();
  } else if (value->is_bool()) {
    text = value->as_bool() ? "true" : "false";
  } else if (value->is_int()) {
    text = number = std::to_string(value->as_int());
  }
  while (!choices.empty()) {
    if (take_part(choices, '|') == text) return true;
  }
  return false;
}

}  // namespace tabernetes::registry::validation

#include "rules/program.h"

#include <string>
#include <utility>

#include "base/text/parts.h"

namespace tabernetes::registry::validation {
namespace {

std::uint64_t take_number(const std::uint8_t*& code) {
  std::uint64_t number = *code & 0x7FU;
  for (unsigned shift = 7; (*code++ & 0x80U) != 0; shift += 7) {
    number |= static_cast<std::uint64_t>(*code & 0x7FU) << shift;
  }
  return number;
}

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

void take_own_part(Step& step, const std::uint8_t*& code) {
  switch (step.what) {
    case StepKind::kIf:
    case StepKind::kAnd:
      return take_condition(step, code);
    case StepKind::kOn:
      step.writes = *code++;
      return;
    case StepKind::kMember:
      step.at_list = (*code & 1U) != 0;
      step.idle = (*code++ & 2U) != 0;
      return;
    case StepKind::kCheck:
    case StepKind::kFiller:
    case StepKind::kRules:
    case StepKind::kIs:
      step.named = static_cast<std::uint32_t>(take_number(code));
      return;
    default:
      return;
  }
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

class Decoder {
 public:
  explicit Decoder(const RuleTables& tables) : tables_(tables) {}

  Program decode(const std::uint8_t* code, const std::uint8_t* end) {
    program_.outer = append_level(code, end);
    // Breadth first: what a step contains is appended after all that are there.
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      const Code within = codes_[i];
      const std::size_t count = append_level(within.begin, within.end);
      levels_.push_back({i, program_.steps.size() - count, count});
    }
    for (const Level& level : levels_) link(level);
    return std::move(program_);
  }

 private:
  struct Code {
    const std::uint8_t* begin;
    const std::uint8_t* end;
  };
  struct Level {
    std::size_t holder, first, count;
  };

  // Returns the number of steps.
  std::size_t append_level(const std::uint8_t* code, const std::uint8_t* end) {
    std::size_t count = 0;
    for (; code != end; ++count) append(code);
    return count;
  }

  void append(const std::uint8_t*& code) {
    const unsigned head = *code++;
    Step step{static_cast<StepKind>(head >> 2U)};
    const bool contains = step.what <= StepKind::kHere;
    const std::size_t size = contains ? static_cast<std::size_t>(take_number(code)) : 0;
    const std::uint8_t* const end = code + size;
    take_own_part(step, code);
    if ((head & 1U) != 0) step.text = take_text(code);
    if ((head & 2U) != 0) step.detail = take_text(code);
    if (has_limit(step)) step.low = take_signed(code);
    if (step.what == StepKind::kRange) step.high = take_signed(code);
    program_.steps.push_back(step);
    codes_.push_back(contains ? Code{code, end} : Code{});
    if (contains) code = end;
  }

  // Sets what the step contains, once all steps are at their places.
  void link(const Level& level) {
    const Step* first = program_.steps.data() + level.first;
    const Step* const last = first + level.count;
    Step& holder = program_.steps[level.holder];
    for (; first != last && first->what == StepKind::kAnd; ++first) ++holder.further;
    holder.within = {&tables_, first, last};
  }

  const RuleTables& tables_;
  Program program_;
  std::vector<Code> codes_;  // what each step contains
  std::vector<Level> levels_;
};

}  // namespace

Steps steps_of(const RuleTables& tables, std::uint32_t program) {
  const Program& decoded = tables.decoded[program].get_or_make([&] {
    return Decoder(tables).decode(tables.code + tables.starts[program],
                                  tables.code + tables.starts[program + 1]);
  });
  const Step* const first = decoded.steps.data();
  return {&tables, first, first + decoded.outer};
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

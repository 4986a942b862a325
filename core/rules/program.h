// Compiled rules: bytes that tools/rules/compile.mjs makes of a text (rules/rules.h) during the
// build, interpreted by rules.cc and, for defaults, by fill.cc. Included only there and by
// generated code.
//
//   step    = head, [length of the rest: steps that contain others], [own part], [text], [detail],
//             [numbers], [contained steps]
//   head    = StepKind in the upper six bits; bit 0: has a text, bit 1: has a detail
//   text    = bytes without a zero, zero
//   own part: of a condition its ConditionKind, with 0x10 if negated and 0x20 if otherwise, then
//   for kAsk the
//             index of the condition; of kOn a bit for each Write; of kMember 1: at_list, 2: idle;
//             of a call and of kIs the index of what it names
//
// Lengths, indexes and numbers have seven bits per byte, low bits first; numbers that may be
// negative are doubled (0, -1, 1 are 0, 1, 2). tools/rules/compile.mjs reads both enums from this
// file.
#pragma once

#include <cstdint>
#include <string_view>

#include "rules/rules.h"

namespace tabernetes::registry::validation {

enum class StepKind : std::uint8_t {
  // Steps that contain others.
  kIf,
  kOn,
  kMember,
  kEach,
  kHere,
  kAnd,  // first in kIf: a further condition; contains no steps
  // Calls.
  kCheck,
  kFiller,
  kRules,
  // Words.
  kStop,  // the next word stops its line
  kRequired,
  kPresent,
  kNeeded,
  kOpt,
  kGiven,
  kNonzero,
  kEnum,
  kIs,
  kRange,
  kMin,
  kPositive,
  kGe,
  kLe,
  kGt,
  kEq,
  kMax,
  kMaxlen,
  kStar,
  kDistinct,
  kApart,
  kAmong,
  kFirst,
  kImmutable,
  kForbid,
  kBad,
  kUnsupported,
  kNeed,
  kDeny,
  kFill,
  kDefault,
  kNumber,
  kMade,
};

// The test of a condition.
enum class ConditionKind : std::uint8_t {
  kAlways,
  kThere,    // the value at `text` exists
  kFull,     // ... and is not empty
  kWas,      // ... existed in the old object
  kChanged,  // ... differs from the old object's
  kIs,       // ... is one of `detail`
  kAbove,    // ... is a number above `low`
  kSeveral,
  kAny,  // a member of the list `text` exists
  kTwo,  // more than one does
  kAsk,
  kGate,  // the feature gate `text` is on
};

// The tables that the programs of one compilation share.
struct RuleTables {
  const std::uint8_t* code;
  const std::uint32_t* starts;  // the offset of each program in `code`, and the end of the last
  const NamedCheck* const* checks;
  const NamedPredicate* const* predicates;
  const NamedFill* const* fills;
};

// A sequence of steps.
struct Steps {
  const RuleTables* tables;
  const std::uint8_t* begin;
  const std::uint8_t* end;

  // Returns the steps of a program. REQUIRES: it exists.
  static Steps of(const RuleTables& tables, std::uint32_t program) {
    return {&tables, tables.code + tables.starts[program],
            tables.code + tables.starts[program + 1]};
  }
  bool empty() const { return begin == end; }
};

struct Step {
  const std::uint8_t* code;  // its first byte
  StepKind what;
  ConditionKind test = ConditionKind::kAlways;
  bool negated = false;     // of a condition
  bool otherwise = false;   // tested only if the previous condition was false
  bool at_list = false;     // a member whose path is that of the enclosing list
  bool idle = false;        // a member without effect if missing
  std::uint8_t writes = 0;  // kOn: a bit for each Write
  std::uint32_t named = 0;  // the index of a check, condition, default, format or program
  // A condition's path and choices; a member's name, and its name in paths; a word's argument and
  // detail.
  std::string_view text = {}, detail = {};
  std::int64_t low = 0, high = 0;  // the numbers of a word or condition
  Steps within = {};
};

// Reads and removes a number.
inline std::uint64_t take_number(const std::uint8_t*& code) {
  std::uint64_t number = *code & 0x7FU;
  for (unsigned shift = 7; (*code++ & 0x80U) != 0; shift += 7) {
    number |= static_cast<std::uint64_t>(*code & 0x7FU) << shift;
  }
  return number;
}

// Reads and removes the first step. REQUIRES: !steps.empty().
Step take_step(Steps& steps);

// Removes the first step, without decoding it, if it is a member without effect if missing, and
// `exists` says of its name that it is. Most steps of a rule about an object are of this kind.
template <typename Exists>
bool skip_missing_member(Steps& steps, const Exists& exists) {
  constexpr unsigned kHasText = 1, kHasDetail = 2, kIdle = 2;
  const std::uint8_t* code = steps.begin;
  const unsigned head = *code++ & ~kHasDetail;
  if (head != (static_cast<unsigned>(StepKind::kMember) << 2U | kHasText)) return false;
  const std::uint64_t size = take_number(code);
  if ((*code & kIdle) == 0 || exists(reinterpret_cast<const char*>(code + 1))) return false;
  steps.begin = code + size;
  return true;
}

// Returns true if the word stops its line at an error without a `!`.
constexpr bool stops_line(StepKind word) {
  switch (word) {
    case StepKind::kRequired:
    case StepKind::kPresent:
    case StepKind::kNeeded:
    case StepKind::kOpt:
    case StepKind::kGiven:
    case StepKind::kNonzero:
    case StepKind::kMax:
    case StepKind::kFirst:
    case StepKind::kForbid:
      return true;
    default:
      return false;
  }
}

// Tests that rules use.

bool is_there(const json::Value* value);  // exists and is not null
// Returns true if the value is missing, "" or [].
bool is_empty(const json::Value* value);
// Returns true if it is one of `choices`, which are separated by '|'.
bool has_value(const json::Value* value, std::string_view choices);

// Returns true if the condition and the further conditions of its line are true; removes those from
// `step.within`. `asks` tests a single one.
template <typename Asks>
bool all_hold(Step& step, const Asks& asks) {
  bool held = asks(step) != step.negated;
  while (!step.within.empty() && static_cast<StepKind>(*step.within.begin >> 2) == StepKind::kAnd) {
    const Step more = take_step(step.within);
    held = held && asks(more) != more.negated;
  }
  return held;
}

}  // namespace tabernetes::registry::validation

// Compiled rules: bytes that tools/rules/compile.mjs makes of a text (rules/rules.h) during the
// build. Each program is decoded to steps when it is first run; rules.cc interprets them and, for
// defaults, fill.cc. Included only there and by generated code.
//
//   step    = head, [length of the rest: steps that contain others], [own part], [text], [detail],
//             [numbers], [contained steps]
//   head    = StepKind in the upper six bits; bit 0: has a text, bit 1: has a detail
//   text    = bytes without a zero, zero
//   own part: of a condition its ConditionKind, with 0x10 if negated and 0x20 if otherwise, then of
//             kAsk the index of the condition; of kOn a bit for each Write; of kMember 1: at_list,
//             2: idle; of a call and of kIs the index of what it names
//
// Lengths, indexes and numbers have seven bits per byte, low bits first; numbers that may be
// negative are doubled (0, -1, 1 are 0, 1, 2). tools/rules/compile.mjs reads both enums from this
// file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/algorithm/atomic_lazy.h"
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

struct Step;
struct RuleTables;

// A sequence of steps.
struct Steps {
  const RuleTables* tables;
  const Step* first;
  const Step* last;

  const Step* begin() const { return first; }
  const Step* end() const { return last; }
};

struct Step {
  StepKind what;
  ConditionKind test = ConditionKind::kAlways;
  bool negated = false;      // of a condition
  bool otherwise = false;    // tested only if the previous condition was false
  bool at_list = false;      // a member whose path is that of the enclosing list
  bool idle = false;         // a member without effect if missing
  std::uint8_t writes = 0;   // kOn: a bit for each Write
  std::uint8_t further = 0;  // kIf: so many kAnd stand before `within`
  std::uint32_t named = 0;   // the index of a check, condition, default, format or program
  // A condition's path and choices; a member's name, and its name in paths; a word's argument and
  // detail.
  std::string_view text = {}, detail = {};
  std::int64_t low = 0, high = 0;  // the numbers of a word or condition
  Steps within = {};
};

// The decoded steps of a program: those of one level one after another.
struct Program {
  std::vector<Step> steps;
  std::size_t outer = 0;  // so many, at the beginning, are in no other step
};

// The tables that the programs of one compilation share.
struct RuleTables {
  const std::uint8_t* code;
  const std::uint32_t* starts;  // the offset of each program in `code`, and the end of the last
  const NamedCheck* const* checks;
  const NamedPredicate* const* predicates;
  const NamedFill* const* fills;
  const AtomicLazy<Program>* decoded;  // each program, decoded when it is first run
};

// Returns the steps of a program. REQUIRES: it exists.
Steps steps_of(const RuleTables& tables, std::uint32_t program);

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

// Returns true if the condition and the further conditions of its line are true. `asks` tests a
// single one.
template <typename Asks>
bool all_hold(const Step& step, const Asks& asks) {
  if (asks(step) == step.negated) return false;
  const Step* const within = step.within.begin();
  return std::all_of(within - step.further, within,
                     [&](const Step& more) { return asks(more) != more.negated; });
}

}  // namespace tabernetes::registry::validation

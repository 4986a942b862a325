// Rules made ready to go through: their text (validation/rules.h) is read once, when a write first
// asks for it, into a list of steps. Only rules.cc and rule_steps.cc include this.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rules/formats.h"
#include "rules/rules.h"

namespace tabernetes::registry::validation {

enum class Do : std::uint8_t {
  // With steps within them.
  kIf,
  kAnd,  // directly after kIf: one more condition of it
  kOn,
  kMember,
  kEach,
  kHere,
  // Calls.
  kCheck,
  kFiller,
  kRules,
  // Words.
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

// What a condition asks.
enum class Test : std::uint8_t {
  kAlways,
  kThere,    // of the value at `text`
  kFull,     // ... and not empty
  kWas,      // ... in what was before
  kChanged,  // ... unlike what was before
  kIs,       // ... is one of `detail`
  kAbove,    // ... is a number above `detail`
  kSeveral,
  kAny,  // a member of the list `text` is there
  kTwo,  // more than one
  kAsk,
};

struct Program;

struct Step {
  Do what;
  Test test = Test::kAlways;
  bool negated = false;    // of a condition
  bool otherwise = false;  // a condition that is asked only if the one before did not hold
  bool stops = false;      // a word that ends its line
  bool at_list = false;    // a member that shows as one of the list around
  bool idle = false;       // a member of which nothing is to be said if it is not there
  std::uint16_t size = 1;  // with the steps within
  // A condition's path and choices; a member's name, and that in paths; a word's argument and
  // detail.
  std::string_view text = {}, detail = {};
  Check check = nullptr;
  Fill filler = nullptr;
  Predicate ask = nullptr;
  Format format = nullptr;
  const Program* rules = nullptr;
  std::uint8_t writes = 0;  // of kOn: bits by number
};

struct Program {
  std::vector<Step> steps;
};

// Made when first asked for, and kept. REQUIRES: `rules` in static storage.
const Program& program_of(const Vocabulary& words, std::string_view rules);

// What rules ask of values.

bool is_there(const json::Value* value);  // and not null
// Returns whether it is not there, "" or [].
bool is_empty(const json::Value* value);
// Returns whether it is one of `choices`, parted by '|'.
bool has_value(const json::Value* value, std::string_view choices);

}  // namespace tabernetes::registry::validation

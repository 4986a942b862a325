// Compiled rules: a text (rules/rules.h) is compiled on first use to a list of steps. Included by
// rules.cc, fill.cc, rule_steps.cc and tests only.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rules/formats.h"
#include "rules/rules.h"

namespace tabernetes::registry::validation {

enum class Do : std::uint8_t {
  // Steps that contain others.
  kIf,
  kAnd,  // directly after kIf: a further condition
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

// The test of a condition.
enum class Test : std::uint8_t {
  kAlways,
  kThere,    // the value at `text` exists
  kFull,     // ... and is not empty
  kWas,      // ... existed in the old object
  kChanged,  // ... differs from the old object's
  kIs,       // ... is one of `detail`
  kAbove,    // ... is a number above `detail`
  kSeveral,
  kAny,  // a member of the list `text` exists
  kTwo,  // more than one does
  kAsk,
};

struct Program;

struct Step {
  Do what;
  Test test = Test::kAlways;
  bool negated = false;    // of a condition
  bool otherwise = false;  // tested only if the previous condition was false
  bool stops = false;      // a word that ends its line at an error
  bool at_list = false;    // a member whose path is that of the enclosing list
  bool idle = false;       // a member without effect if missing
  std::uint16_t size = 1;  // including the steps it contains
  // A condition's path and choices; a member's name, and its name in paths; a word's argument and
  // detail.
  std::string_view text = {}, detail = {};
  Check check = nullptr;
  Fill filler = nullptr;
  Predicate ask = nullptr;
  Format format = nullptr;
  const Program* rules = nullptr;
  std::uint8_t writes = 0;  // kOn: a bit for each Write
};

struct Program {
  std::vector<Step> steps;
};

// Returns the compiled rules, made on first use. REQUIRES: `rules` has static storage.
const Program& program_of(const Vocabulary& words, std::string_view rules);

// Tests that rules use.

bool is_there(const json::Value* value);  // exists and is not null
// Returns true if the value is missing, "" or [].
bool is_empty(const json::Value* value);
// Returns true if it is one of `choices`, which are separated by '|'.
bool has_value(const json::Value* value, std::string_view choices);

}  // namespace tabernetes::registry::validation

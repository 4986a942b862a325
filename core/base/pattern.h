// Regular expressions in RE2's language, as far as the names of hosts need it, matched in time
// linear in the text: all states go on together, nothing is tried twice.
//
//   | alternatives, sequences, * + ? {n} {n,} {n,m} and their lazy forms (which match the same)
//   . [a-z] [^a-z] \d \w \s \D \W \S, marks such as \. \t \n \f \r \v \xHH
//   ^ $ \A \z \b \B, (groups), (?:groups), (?P<named>groups), (?i) and (?s) at the start
//
// A text is bytes: a character beyond ASCII stands for its bytes in UTF-8, and in no class.
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace tabernetes {

class Pattern {
 public:
  // Errors: what is wrong with it, in the words of Go's regexp.
  static tl::expected<Pattern, std::string> compile(std::string_view text);

  // Whether some part of `text` matches.
  bool matches(std::string_view text) const;

  enum class Op { kBytes, kSplit, kJump, kBegin, kEnd, kWordBoundary, kNoWordBoundary, kMatch };
  struct Instruction {
    Op op = Op::kMatch;
    std::bitset<256> bytes;               // kBytes: one of these
    std::size_t target = 0, or_else = 0;  // kJump: `target`; kSplit: both; others go to the next
  };

 private:
  explicit Pattern(std::vector<Instruction> program) : program_(std::move(program)) {}

  std::vector<Instruction> program_;
};

}  // namespace tabernetes

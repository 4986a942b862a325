// Regular expressions in RE2's syntax as Go's regexp accepts it, matched in time linear in the
// text: all states advance together, without backtracking.
//
//   alternatives, sequences, * + ? {n} {n,} {n,m} and their lazy forms
//   . [a-z] [^a-z] [[:alpha:]] \d \w \s \D \W \S, \p{L} and the like (see pattern_parser.cc)
//   escapes such as \. \t \n \f \r \v \a \xHH \x{HHHH} \123 \Q...\E
//   ^ $ \A \z \b \B, (groups), (?:groups), (?P<named>groups), flags (?imsU-imsU) and (?i:groups)
//
// Texts are UTF-8; an invalid byte counts as U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/api/result.h"

namespace tabernetes {

// The characters from `first` to `last`, inclusive.
struct RuneRange {
  char32_t first = 0, last = 0;
};

class Pattern {
 public:
  struct Match {
    std::size_t begin = 0, end = 0;
  };

  // Errors: the message of Go's regexp.
  static tl::expected<Pattern, std::string> compile(std::string_view text);

  // Returns whether any part of `text` matches.
  bool matches(std::string_view text) const;

  // Returns the first match that begins at or after byte `from`; of several at one position, the
  // one Perl would find.
  std::optional<Match> find(std::string_view text, std::size_t from) const;
  // Returns the offset after the character at `place`.
  static std::size_t next_place(std::string_view text, std::size_t place);

  enum class Op : std::uint8_t {
    kRunes,
    kSplit,
    kJump,
    kBegin,
    kEnd,
    kLineBegin,
    kLineEnd,
    kWordBoundary,
    kNoWordBoundary,
    kMatch
  };
  struct Instruction {
    Op op = Op::kMatch;
    // kJump: continues at `target`; kSplit: tries `target` before `or_else`; kRunes: the ranges
    // from number `target` up to, not including, `or_else`. All but the first two continue at the
    // next instruction.
    std::uint32_t target = 0, or_else = 0;
  };

 private:
  Pattern() = default;
  friend class PatternEmitter;
  friend class PatternRun;

  std::vector<Instruction> program_;
  std::vector<RuneRange> ranges_;
};

}  // namespace tabernetes

// Regular expressions in RE2's language as Go's package regexp takes it, matched in time linear in
// the text: all states go on together, nothing is tried twice.
//
//   | alternatives, sequences, * + ? {n} {n,} {n,m} and their lazy forms
//   . [a-z] [^a-z] [[:alpha:]] \d \w \s \D \W \S, \p{L} and the like (see pattern_parser.cc)
//   marks such as \. \t \n \f \r \v \a \xHH \x{HHHH} \123 \Q…\E
//   ^ $ \A \z \b \B, (groups), (?:groups), (?P<named>groups), flags (?imsU-imsU) and (?i:groups)
//
// Texts are UTF-8; a byte that is none counts as U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/result.h"

namespace tabernetes {

// Characters from `first` to `last`.
struct RuneRange {
  char32_t first = 0, last = 0;
};

class Pattern {
 public:
  struct Match {
    std::size_t begin = 0, end = 0;
  };

  // Errors: what is wrong with it, in the words of Go's regexp.
  static tl::expected<Pattern, std::string> compile(std::string_view text);

  // Whether some part of `text` matches.
  bool matches(std::string_view text) const;

  // The first part of `text` at or behind byte `from` that matches; of several that begin there the
  // one that Perl would find.
  std::optional<Match> find(std::string_view text, std::size_t from) const;
  // The byte behind the character at `place`.
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
    // kJump: `target`; kSplit: rather `target` than `or_else`; kRunes: ranges from number `target`
    // to before `or_else`. All but the first two go to the next instruction.
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

// The syntax tree of a pattern. The language is described in base/pattern.h.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/regex/pattern.h"

namespace tabernetes {

struct PatternNode {
  enum class Kind { kRunes, kAssertion, kSequence, kAlternatives, kRepeat };
  static constexpr int kEndless = -1;

  Kind kind = Kind::kSequence;
  std::vector<RuneRange> runes;                 // kRunes: matches one of these; sorted
  Pattern::Op assertion = Pattern::Op::kBegin;  // kAssertion
  std::vector<PatternNode> children;
  int least = 0, most = 0;  // kRepeat: counts; kEndless for no limit
  bool lazy = false;        // kRepeat: prefers fewer
};

// Errors: those of Pattern::compile().
tl::expected<PatternNode, std::string> parse_pattern(std::string_view text);

}  // namespace tabernetes

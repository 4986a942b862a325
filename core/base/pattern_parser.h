// The text of a pattern as a tree. The language is in base/pattern.h.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "base/pattern.h"

namespace tabernetes {

struct PatternNode {
  enum class Kind { kRunes, kAssertion, kSequence, kAlternatives, kRepeat };
  static constexpr int kEndless = -1;

  Kind kind = Kind::kSequence;
  std::vector<RuneRange> runes;                 // kRunes: one of these, in order
  Pattern::Op assertion = Pattern::Op::kBegin;  // kAssertion
  std::vector<PatternNode> children;
  int least = 0, most = 0;  // kRepeat: how often; kEndless
  bool lazy = false;        // kRepeat: rather seldom
};

// Errors: as Pattern::compile().
tl::expected<PatternNode, std::string> parse_pattern(std::string_view text);

}  // namespace tabernetes

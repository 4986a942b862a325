// The text of a pattern as a tree. The language is in base/pattern.h.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "base/pattern.h"

namespace tabernetes {

struct PatternNode {
  enum class Kind { kBytes, kAssertion, kSequence, kAlternatives, kRepeat };
  static constexpr int kEndless = -1;

  Kind kind = Kind::kSequence;
  std::bitset<256> bytes;                       // kBytes
  Pattern::Op assertion = Pattern::Op::kBegin;  // kAssertion
  std::vector<PatternNode> children;
  int least = 0, most = 0;  // kRepeat: how often; kEndless
};

// Errors: as Pattern::compile().
tl::expected<PatternNode, std::string> parse_pattern(std::string_view text);

// Letters, digits and `_`.
bool is_word_byte(unsigned char c);

}  // namespace tabernetes

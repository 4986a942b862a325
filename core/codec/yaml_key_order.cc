// Source: go-yaml v2 sorter.go. Letters beyond ASCII are identified by blocks, not by Unicode's
// tables. Tested by tests/core/codec/yaml_writer_test.cc.
#include "codec/yaml_key_order.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/text/ascii.h"
#include "base/text/utf8.h"

namespace tabernetes::codec {
namespace {

std::u32string runes_of(std::string_view text) {
  std::u32string runes;
  runes.reserve(text.size());
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    runes += rune.value;
    text.remove_prefix(rune.size);
  }
  return runes;
}

bool is_digit_rune(char32_t c) { return c >= '0' && c <= '9'; }

bool is_letter_rune(char32_t c) {
  if (c < 0x80) return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  if (c < 0x100)
    return c == 0xAA || c == 0xB5 || c == 0xBA || (c >= 0xC0 && c != 0xD7 && c != 0xF7);
  struct Block {
    char32_t first, last;
  };
  static constexpr Block kNoLetters[] = {
      {0x2C2, 0x2C5},   {0x2D2, 0x2DF},   {0x300, 0x36F},     {0x2000, 0x2070},
      {0x2072, 0x207E}, {0x2080, 0x208F}, {0x20A0, 0x2101},   {0x2190, 0x2BFF},
      {0x3000, 0x3004}, {0x3007, 0x3030}, {0xD800, 0xF8FF},   {0xFE00, 0xFE6F},
      {0xFEFF, 0xFF20}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}, {0xE0000, 0x10FFFF}};
  for (const Block& block : kNoLetters) {
    if (c >= block.first && c <= block.last) return false;
  }
  return true;
}

// Returns the value of the digits from `i` on, wrapping around like Go's int64; moves `i` past
// them.
std::int64_t number_at(const std::u32string& runes, std::size_t& i, std::uint64_t value) {
  while (i < runes.size() && is_digit_rune(runes[i])) value = value * 10 + (runes[i++] - '0');
  return static_cast<std::int64_t>(value);
}

// Returns whether a zero at `i` is significant because of the digits before it: 10 against 1.
bool follows_number(const std::u32string& runes, std::size_t i) {
  while (i > 0 && is_digit_rune(runes[i - 1])) {
    if (runes[--i] != '0') return true;
  }
  return false;
}

}  // namespace

bool yaml_key_before(std::string_view a, std::string_view b) {
  // Fast path: most keys differ first in an ASCII letter, or one is a prefix of the other.
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t same = 0;
  while (same < shorter && a[same] == b[same]) ++same;
  if (same == shorter) return a.size() < b.size();
  if (is_letter(a[same]) && is_letter(b[same])) return a[same] < b[same];

  const std::u32string ar = runes_of(a), br = runes_of(b);
  std::size_t i = 0;
  while (i < ar.size() && i < br.size() && ar[i] == br[i]) ++i;
  if (i == ar.size() || i == br.size()) return ar.size() < br.size();

  const bool a_letter = is_letter_rune(ar[i]), b_letter = is_letter_rune(br[i]);
  if (a_letter && b_letter) return ar[i] < br[i];
  if (a_letter || b_letter) return b_letter;
  const bool leading_one = (ar[i] == '0' || br[i] == '0') && follows_number(ar, i);
  std::size_t a_end = i, b_end = i;
  const std::int64_t a_number = number_at(ar, a_end, leading_one ? 1 : 0);
  const std::int64_t b_number = number_at(br, b_end, leading_one ? 1 : 0);
  if (a_number != b_number) return a_number < b_number;
  if (a_end != b_end) return a_end < b_end;
  return ar[i] < br[i];
}

}  // namespace tabernetes::codec

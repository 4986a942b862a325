#include "base/text/utf8.h"

namespace tabernetes {

Rune decode_rune(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  const std::size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < size) return {};
  char32_t value = first & (0xffu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3fu);
  }
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (value < kSmallest[size] || value > 0x10ffff) return {};
  if (value >= 0xd800 && value <= 0xdfff) return {};
  return {value, size, true};
}

bool is_valid_utf8(std::string_view text) {
  while (!text.empty()) {
    const Rune rune = decode_rune(text);
    if (!rune.valid) return false;
    text.remove_prefix(rune.size);
  }
  return true;
}

void append_rune(char32_t rune, std::string& text) {
  if (rune < 0x80) {
    text += static_cast<char>(rune);
    return;
  }
  const int more = rune < 0x800 ? 1 : rune < 0x10000 ? 2 : 3;
  constexpr unsigned kHeads[] = {0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(kHeads[more] | rune >> (6 * more));
  for (int i = more - 1; i >= 0; --i) text += static_cast<char>(0x80 | (rune >> (6 * i) & 0x3f));
}

std::size_t count_runes(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) text.remove_prefix(decode_rune(text).size);
  return count;
}

}  // namespace tabernetes

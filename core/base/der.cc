#include "base/der.h"

#include <cstdint>

namespace tabernetes::der {

std::optional<Element> take_any(std::string_view& rest) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  if (rest.size() < 2 || (at(0) & 0x1f) == 0x1f) return std::nullopt;
  std::size_t head = 2;
  std::uint64_t size = at(1);
  if (size >= 0x80) {
    const std::size_t bytes = size & 0x7f;
    head += bytes;
    if (bytes == 0 || bytes > 4 || rest.size() < head) return std::nullopt;
    size = 0;
    for (std::size_t i = 2; i < head; ++i) size = size << 8 | at(i);
    if (size < 0x80 || at(2) == 0) return std::nullopt;
  }
  if (rest.size() - head < size) return std::nullopt;
  const std::size_t end = head + static_cast<std::size_t>(size);
  const Element element{at(0), rest.substr(head, end - head), rest.substr(0, end)};
  rest.remove_prefix(end);
  return element;
}

std::optional<std::string_view> take(std::string_view& rest, unsigned char tag) {
  if (!comes(rest, tag)) return std::nullopt;
  const std::optional<Element> element = take_any(rest);
  if (!element) return std::nullopt;
  return element->contents;
}

}  // namespace tabernetes::der

// Blanks around the parts of a header: RFC 9110's optional whitespace.
#pragma once

#include <string_view>

namespace tabernetes::server {

// Returns `text` without the blanks and tabs at its ends.
inline std::string_view trim_optional_whitespace(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

}  // namespace tabernetes::server

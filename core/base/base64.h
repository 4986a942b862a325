// Standard base64 with padding, read with Go's leniency and Go's error positions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

std::string base64_encode(std::string_view bytes);

struct Base64Text {
  // The byte where Go's decoder gives up ("illegal base64 data at input byte N"); none: it is fine.
  std::optional<std::size_t> error_at;
  // Whether encoding what was read gives the same text again (no line breaks, no stray bits).
  bool canonical = true;
};
Base64Text check_base64(std::string_view text);

// The bytes of `text`, line breaks skipped; nothing if it is malformed.
std::optional<std::string> base64_decode(std::string_view text);

// The same without padding, with '-' and '_'.
std::string base64url_encode(std::string_view bytes);
std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace tabernetes

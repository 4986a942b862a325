// Base64 (standard and URL-safe) with Go's leniency and Go's error positions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tabernetes {

std::string base64_encode(std::string_view bytes);

struct Base64Text {
  // The offset at which Go's decoder gives up ("illegal base64 data at input byte N"). Unset if
  // `text` is valid.
  std::optional<std::size_t> error_at;
  // True if encoding the decoded bytes gives the same text (no line breaks, no stray bits).
  bool canonical = true;
};
Base64Text check_base64(std::string_view text);

// Returns the bytes of `text`, ignoring line breaks, or nullopt if it is malformed.
std::optional<std::string> base64_decode(std::string_view text);

// The URL-safe alphabet ('-' and '_'), without padding.
std::string base64url_encode(std::string_view bytes);
std::optional<std::string> base64url_decode(std::string_view text);

}  // namespace tabernetes

// Internal to codec: what encoding/json says about a text that is no JSON.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::codec {

inline constexpr std::size_t kMaxJsonDepth = 10000;

// The message of Go's scanner for the first fault in `text`; empty if Go takes it. Slow: for texts
// that the fast reader refused.
std::string json_syntax_error(std::string_view text);

// Go reads invalid UTF-8 and lone surrogates in strings as U+FFFD; a copy of `text`, which must be
// free of syntax errors, with these written so that any reader takes them.
std::string repair_json_unicode(std::string_view text);

}  // namespace tabernetes::codec

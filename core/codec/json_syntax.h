// Internal to codec: encoding/json's error messages for invalid JSON.
#pragma once

#include <string>
#include <string_view>

namespace tabernetes::codec {

inline constexpr std::size_t kMaxJsonDepth = 10000;

// Returns the message of Go's scanner for the first error in `text`, or an empty text. Slow: for
// texts that the fast parser rejected.
std::string json_syntax_error(std::string_view text);

// Returns a copy of `text`, which must be free of syntax errors, with invalid UTF-8 and lone
// surrogates replaced by U+FFFD, as Go reads them.
std::string repair_json_unicode(std::string_view text);

}  // namespace tabernetes::codec

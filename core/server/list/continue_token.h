// Continue tokens: the position at which a paged list continues, in the real server's format.
// Source: spec/list-watch.md 3.5, 3.6.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/api/result.h"

namespace tabernetes::server {

struct ContinueToken {
  std::int64_t revision = 0;  // -1: the latest
  std::string start;          // relative to the prefix of the list, inclusive
};

// The form of the start: with a leading slash, like the real server's watch cache, or without, as
// for kinds that have no cache. Both can be decoded.
enum class TokenForm { kRooted, kBare };

std::string encode_continue(const ContinueToken& token, TokenForm form = TokenForm::kRooted);

// Errors: 400 `invalid continue token: ...`.
Result<ContinueToken> decode_continue(std::string_view text);

}  // namespace tabernetes::server

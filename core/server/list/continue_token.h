// Continue tokens: where a paged list goes on. Same shape as the real server's.
// Source: spec/list-watch.md 3.5, 3.6.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tabernetes::server {

struct ContinueToken {
  std::int64_t revision = 0;  // -1: the latest
  std::string start;          // relative to the prefix of the list, inclusive
};

// How the start is written: with a leading slash, as the real server's cache does, or without, as
// it does for kinds that have none. Both are read.
enum class TokenForm { kRooted, kBare };

std::string encode_continue(const ContinueToken& token, TokenForm form = TokenForm::kRooted);

// Errors: 400 `invalid continue token: ...`.
Result<ContinueToken> decode_continue(std::string_view text);

}  // namespace tabernetes::server

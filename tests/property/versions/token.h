// Continue tokens, encoded and decoded independently of the core.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "random.h"

namespace tabernetes::property {

std::string base64url(std::string_view bytes);

// The content of a token: continue after `start` (relative to the list's prefix, one NUL behind the
// last key) at `version`; -1 means the latest.
struct Token {
  std::int64_t version = 0;
  std::string start;

  std::string text() const;
  static Token parse(const std::string& text);  // of a token from a server; fails otherwise
};

// An invalid token, and the server's error for it.
struct BadToken {
  std::string text, message;
};
BadToken random_bad_token(Random& random, const Token& good);

}  // namespace tabernetes::property

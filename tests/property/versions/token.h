// Continue tokens, taken apart and put together by the tests' own code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "random.h"

namespace tabernetes::property {

std::string base64url(std::string_view bytes);

// What a token says: go on after `start` (relative to the list's prefix, one NUL behind the last
// key) at `version`; -1 is whatever is latest.
struct Token {
  std::int64_t version = 0;
  std::string start;

  std::string text() const;
  static Token parse(const std::string& text);  // of a token that a server gave; fails otherwise
};

// A token that no server gave, and what a server says of it.
struct BadToken {
  std::string text, message;
};
BadToken random_bad_token(Random& random, const Token& good);

}  // namespace tabernetes::property

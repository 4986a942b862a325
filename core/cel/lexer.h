// The words of an expression. Internal to the parser.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/issues.h"

namespace tabernetes::cel {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,
  kEscapedIdentifier,
  kInt,
  kUint,
  kFloat,
  kString,
  kBytes,
  kMark,     // an operator or bracket
  kKeyword,  // true false null in
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::uint32_t offset = 0;
  std::string_view text;

  bool is(std::string_view mark) const {
    return (kind == TokenKind::kMark || kind == TokenKind::kKeyword) && text == mark;
  }
};

// The tokens of `source`, the last one of kind kEnd. What is no token is left out and reported.
std::vector<Token> read_tokens(std::string_view source, Issues& issues);

// The text that a string literal stands for; false if an escape in it is none, with the reason.
bool unescape_literal(std::string_view literal, bool bytes, std::string& text,
                      std::string_view& error);

}  // namespace tabernetes::cel

// The lexer of expressions. Internal to the parser.
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

// Returns the tokens of `source`, the last one of kind kEnd. Reports and skips anything else.
std::vector<Token> read_tokens(std::string_view source, Issues& issues);

// Decodes a string literal; returns false with the reason in `error` if an escape is invalid.
bool unescape_literal(std::string_view literal, bool bytes, std::string& text,
                      std::string_view& error);

}  // namespace tabernetes::cel

// The data owned by a program. Internal.
#pragma once

#include <deque>
#include <string>

#include "base/regex/pattern.h"
#include "cel/expr.h"
#include "json/arena.h"

namespace tabernetes::cel {

struct ProgramParts {
  json::Arena arena;  // the source and the tree
  std::deque<Pattern> patterns;
  const Expr* root = nullptr;
  std::uint64_t mentioned = 0;
};

}  // namespace tabernetes::cel

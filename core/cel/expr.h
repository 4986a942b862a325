// The tree of an expression: what the parser makes, the checker annotates and the evaluator walks.
#pragma once

#include <cstdint>
#include <string_view>

#include "cel/functions.h"
#include "cel/type.h"
#include "cel/value.h"

namespace tabernetes {
class Pattern;
}

namespace tabernetes::cel {

enum class ExprKind : std::uint8_t {
  kLiteral,
  kIdent,
  kSelect,   // args[0].name; `flag`: has()
  kCall,     // `flag`: args[0] is what it is called on
  kList,     // args; those in `optional` may be left out
  kMap,      // args: key, value, key, value …
  kMessage,  // name{…}: args are the values of its fields
  kFold,     // a comprehension, see below
};

// The parts of a comprehension: a loop over a range that carries one value along.
enum FoldPart : std::uint8_t { kRange, kInit, kCondition, kStep, kResult, kFoldParts };

struct FoldNames {
  std::string_view item, second, carried;  // `second` is empty with one variable
};

struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  bool flag = false;
  bool is_type = false;  // kIdent: names a type, `literal`
  Function function = Function::kNone;
  std::uint32_t offset = 0;  // in the source, where errors point to
  std::uint32_t count = 0;   // of args
  std::uint32_t number = 0;  // of the node in its program
  std::int32_t slot = 0;     // kIdent: variable number; negative: -1 - depth of a loop's variable
  std::uint32_t* optional = nullptr;  // bits by number of the item or entry; null: none is
  Expr** args = nullptr;
  const FoldNames* names = nullptr;  // kFold
  std::string_view name;             // kIdent, kSelect, kCall, kMessage
  Value literal;
  const Type* type = nullptr;   // by the checker
  std::uint64_t overloads = 0;  // kCall: which of the function's signatures fit, by the checker
  bool folded = false;          // always the same: `constant`
  Value constant;
  const Pattern* pattern = nullptr;  // of a call whose pattern is a literal

  Expr& arg(std::uint32_t i) const { return *args[i]; }
  bool is_optional(std::uint32_t i) const {
    return optional != nullptr && (optional[i / 32] >> (i % 32) & 1) != 0;
  }
};

// What the hidden variable of a comprehension is called.
inline constexpr std::string_view kCarried = "@result";

}  // namespace tabernetes::cel

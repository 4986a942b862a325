// The expression tree: built by the parser, annotated by the checker, walked by the evaluator.
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
  kCall,     // `flag`: args[0] is the receiver
  kList,     // args; those in `optional` may be omitted
  kMap,      // args: key, value, key, value ...
  kMessage,  // name{...}: args are field, value, field, value ...
  kFold,     // a comprehension, see below
};

// The parts of a comprehension: a loop over a range with an accumulator.
enum FoldPart : std::uint8_t { kRange, kInit, kCondition, kStep, kResult, kFoldParts };

struct FoldNames {
  std::string_view item, second, carried;  // `second` is empty with one variable
};

struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  bool flag = false;
  bool is_type = false;  // kIdent: names a type, `literal`
  Function function = Function::kNone;
  std::uint32_t offset = 0;  // position in the source, for errors
  std::uint32_t count = 0;   // number of args
  std::uint32_t number = 0;  // index of the node in its program
  // kIdent: index of the variable; negative: -1 - depth of a loop's variable.
  std::int32_t slot = 0;
  // Bits by index of the item or entry; null if none is optional.
  std::uint32_t* optional = nullptr;
  Expr** args = nullptr;
  const FoldNames* names = nullptr;  // kFold
  std::string_view name;             // kIdent, kSelect, kCall, kMessage
  Value literal;
  const Type* type = nullptr;   // set by the checker
  std::uint64_t overloads = 0;  // kCall: the function's matching signatures, set by the checker
  bool folded = false;          // constant, with its value in `constant`
  Value constant;
  const Pattern* pattern = nullptr;  // of a call whose pattern is a literal

  Expr& arg(std::uint32_t i) const { return *args[i]; }
  bool is_optional(std::uint32_t i) const {
    return optional != nullptr && (optional[i / 32] >> (i % 32) & 1) != 0;
  }
};

// The name of a comprehension's accumulator.
inline constexpr std::string_view kCarried = "@result";

}  // namespace tabernetes::cel

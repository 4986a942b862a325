// A compiled expression. Immutable: may be evaluated on any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "cel/type.h"
#include "cel/value.h"
#include "json/arena.h"

namespace tabernetes::cel {

struct Expr;
struct ProgramParts;

// The cost limit of one evaluation (apiserver's PerCallLimit).
inline constexpr std::uint64_t kCallCostLimit = 1'000'000;

struct Outcome {
  Value value;             // if a kError, see error(); valid as long as the arena and the object
  std::uint64_t cost = 0;  // in cel-go's units
  bool out_of_budget = false;  // the limit was reached and the evaluation aborted

  bool is_error() const { return value.is_error(); }
  // "no such key: x", "division by zero", "operation cancelled: actual cost limit exceeded"
  std::string_view error() const { return value.view(); }
};

// The minimum and maximum of an expression's cost, or of its value's size.
struct Estimate {
  std::uint64_t min = 0, max = 0;
};

class Program {
 public:
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // Returns the type that the checker found: kBool, kString, ...
  const Type& result_type() const;

  // Returns whether the variable at index `variable` is read anywhere.
  bool mentions(std::size_t variable) const { return (mentioned_ >> variable & 1) != 0; }

  // Returns why it cannot be evaluated although it is well-typed, such as an invalid literal
  // pattern of find(); usually empty.
  const std::string& plan_error() const { return plan_error_; }

  // Evaluates with `variables` in the order of their declaration. Results live in `arena`.
  Outcome evaluate(std::span<const Value> variables, json::Arena& arena,
                   std::uint64_t cost_limit = kCallCostLimit) const;

  // Returns cel-go's estimate. `root` is the type in which the paths of all variables begin; null
  // if sizes are unknown.
  Estimate estimate_cost(const Type* root) const;

 private:
  friend class Compiler;
  explicit Program(std::unique_ptr<ProgramParts> parts);

  std::unique_ptr<ProgramParts> parts_;
  std::uint64_t mentioned_ = 0;
  std::string plan_error_;
};

}  // namespace tabernetes::cel

// A compiled expression. Immutable: it may be evaluated on any thread.
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

// What one evaluation of an expression may cost (apiserver's PerCallLimit).
inline constexpr std::uint64_t kCallCostLimit = 1'000'000;

struct Outcome {
  Value value;             // of kind kError: see error(); valid as long as the arena and the object
  std::uint64_t cost = 0;  // in cel-go's units
  bool out_of_budget = false;  // the limit was reached, and the evaluation ended

  bool is_error() const { return value.is_error(); }
  // "no such key: x", "division by zero", "operation cancelled: actual cost limit exceeded"
  std::string_view error() const { return value.view(); }
};

// How much an expression may cost and how long its value may be, at least and at most.
struct Estimate {
  std::uint64_t min = 0, max = 0;
};

class Program {
 public:
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // kBool, kString, …, as the checker found.
  const Type& result_type() const;

  // Whether variable number `variable` of those that it was compiled with is read anywhere.
  bool mentions(std::size_t variable) const { return (mentioned_ >> variable & 1) != 0; }

  // What keeps it from being evaluated although it is well typed, such as a bad literal pattern of
  // find(); usually empty.
  const std::string& plan_error() const { return plan_error_; }

  // `variables` in the order in which they were declared. Results live in `arena`.
  Outcome evaluate(std::span<const Value> variables, json::Arena& arena,
                   std::uint64_t cost_limit = kCallCostLimit) const;

  // cel-go's estimate. `root` is the type that the paths of all variables begin in; null: nothing
  // is known of sizes.
  Estimate estimate_cost(const Type* root) const;

 private:
  friend class Compiler;
  explicit Program(std::unique_ptr<ProgramParts> parts);

  std::unique_ptr<ProgramParts> parts_;
  std::uint64_t mentioned_ = 0;
  std::string plan_error_;
};

}  // namespace tabernetes::cel

// The evaluator and the cost estimator. Internal to Program.
#pragma once

#include <span>

#include "cel/expr.h"
#include "cel/program.h"

namespace tabernetes::cel {

Outcome evaluate(const Expr& root, std::span<const Value> variables, json::Arena& arena,
                 std::uint64_t cost_limit);

Estimate estimate_cost(const Expr& root, const Type* type);

}  // namespace tabernetes::cel

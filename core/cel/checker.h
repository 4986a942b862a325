// Finds the type of every part of an expression, which variable a name means, and which signatures
// of a function fit. Internal to compile(). Source: cel-go 0.26 checker/checker.go, types.go.
#pragma once

#include <span>

#include "cel/compile.h"
#include "cel/expr.h"
#include "cel/issues.h"

namespace tabernetes::cel {

// Annotates the tree; sets the bits of the variables that it reads.
void check(Expr& root, std::span<const Variable> variables, json::Arena& arena, Issues& issues,
           std::uint64_t& mentioned);

// What is found wrong in the literals of a tree that has types: times, durations and patterns that
// cannot be read, lists of several types.
void check_literals(const Expr& root, json::Arena& arena, Issues& issues);

}  // namespace tabernetes::cel

// The type checker: resolves names, infers the type of every subexpression, and selects the
// matching signatures of functions. Internal to compile(). Source: cel-go 0.26 checker/checker.go,
// types.go.
#pragma once

#include <span>

#include "cel/compile.h"
#include "cel/expr.h"
#include "cel/issues.h"

namespace tabernetes::cel {

// Annotates the tree; sets in `mentioned` the bits of the variables that it reads.
// `language`: see compile.h, mutation.h.
enum class Language : std::uint8_t { kUsual, kMutations };
void check(Expr& root, std::span<const Variable> variables, Language language, json::Arena& arena,
           Issues& issues, std::uint64_t& mentioned);

// Reports issues in the literals of a checked tree: invalid times, durations and patterns, and
// lists of mixed types.
void check_literals(const Expr& root, json::Arena& arena, Issues& issues);

}  // namespace tabernetes::cel

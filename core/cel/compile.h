// Compiles the text of an expression to a checked program:
//
//   lexer, parser (with macros) -> Expr -> check() -> validators of literals -> Program
//
// The language is CEL with the functions that kube-apiserver 1.36 offers everywhere (apiserver
// pkg/cel/environment/base.go): see functions.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "base/api/result.h"
#include "cel/program.h"
#include "cel/type.h"

namespace tabernetes::cel {

struct Variable {
  std::string_view name;
  const Type* type = nullptr;
};

// Compiles `source`. Errors: all issues, in cel-go's words and layout:
//
//   ERROR: <input>:1:6: undefined field 'foo'
//    | self.foo
//    | .....^
//
// At most 64 variables. The types must outlive the program; `source` need not.
tl::expected<Program, std::string> compile(std::string_view source,
                                           std::span<const Variable> variables);

}  // namespace tabernetes::cel

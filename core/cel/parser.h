// The parser: turns the text of an expression into a tree and expands macros. Internal to
// compile().
#pragma once

#include <string_view>

#include "cel/expr.h"
#include "cel/issues.h"
#include "json/arena.h"

namespace tabernetes::cel {

// Returns null after reporting to `issues`. `source` must live as long as the arena.
Expr* parse(std::string_view source, json::Arena& arena, Issues& issues);

// Creates nodes.
struct ExprMaker {
  json::Arena& arena;

  Expr* make(ExprKind kind, std::uint32_t offset) const;
  Expr* literal(const Value& value, std::uint32_t offset) const;
  Expr* ident(std::string_view name, std::uint32_t offset) const;
  Expr* call(Function function, std::initializer_list<Expr*> args, std::uint32_t offset) const;
  Expr* method(std::string_view name, std::initializer_list<Expr*> args,
               std::uint32_t offset) const;
  Expr* list(std::initializer_list<Expr*> items, std::uint32_t offset) const;
  void set_args(Expr* expr, const Expr* const* args, std::size_t count) const;
};

// Returns the expansion of a macro, `call` itself if it is not a macro, or null after reporting to
// `issues`. The arguments of a method begin with its receiver.
Expr* expand_macro(Expr* call, const ExprMaker& maker, Issues& issues);

}  // namespace tabernetes::cel

// The text of an expression as a tree, macros expanded. Internal to compile().
#pragma once

#include <string_view>

#include "cel/expr.h"
#include "cel/issues.h"
#include "json/arena.h"

namespace tabernetes::cel {

// Null if something is wrong with it, in `issues`. `source` lives as long as the arena.
Expr* parse(std::string_view source, json::Arena& arena, Issues& issues);

// Makes nodes.
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

// What `call` stands for if it is a macro; `call` itself if it is none. Null: `issues` says what is
// wrong with it. The arguments of a method begin with what it is called on.
Expr* expand_macro(Expr* call, const ExprMaker& maker, Issues& issues);

}  // namespace tabernetes::cel

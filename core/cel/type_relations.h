// Assignability of types, and inference of type parameters. Internal to the checker.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cel/type.h"

namespace tabernetes::cel {

// Type parameters, and the types inferred for them while an expression is checked.
class TypeRelations {
 public:
  explicit TypeRelations(json::Arena& arena) : arena_(arena) {}

  const Type* new_unknown();

  // Returns whether a value of type `b` is assignable to type `a`. If so, binds type parameters;
  // otherwise changes nothing.
  bool assignable(const Type& a, const Type& b);
  // Does the same for several pairs at once.
  bool assignable(const Type* const* a, const Type* const* b, std::size_t count);

  // Returns `type` with all bound parameters replaced. Unbound ones become dyn if `to_dyn`.
  const Type* substitute(const Type& type, bool to_dyn);

  static const Type& most_general(const Type& a, const Type& b);

 private:
  const Type* find(const Type& type) const;
  bool fits(const Type& a, const Type& b);
  bool fits_unknown(const Type& type, const Type& unknown, bool& known);
  bool fits_parts(const Type& a, const Type& b);
  bool occurs_in(const Type& unknown, const Type& type) const;

  json::Arena& arena_;
  std::vector<const Type*> known_;  // by index of the type parameter; null if unbound
};

inline bool is_dyn_or_error(const Type& type) {
  return type.kind == Kind::kDyn || type.kind == Kind::kError;
}

}  // namespace tabernetes::cel

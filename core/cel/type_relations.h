// Which types may stand for which. Internal to the checker.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cel/type.h"

namespace tabernetes::cel {

// Types that are not known yet, and what is found out about them while an expression is checked.
class TypeRelations {
 public:
  explicit TypeRelations(json::Arena& arena) : arena_(arena) {}

  const Type* new_unknown();

  // Whether a value of type `b` may be used as one of type `a`; notes what follows for unknown
  // types, or nothing if not.
  bool assignable(const Type& a, const Type& b);
  // The same for several at once.
  bool assignable(const Type* const* a, const Type* const* b, std::size_t count);

  // `type` with all that is known put in. What is still unknown becomes dyn if `to_dyn`.
  const Type* substitute(const Type& type, bool to_dyn);

  static const Type& most_general(const Type& a, const Type& b);

 private:
  const Type* find(const Type& type) const;
  bool fits(const Type& a, const Type& b);
  bool fits_unknown(const Type& type, const Type& unknown, bool& known);
  bool fits_parts(const Type& a, const Type& b);
  bool occurs_in(const Type& unknown, const Type& type) const;

  json::Arena& arena_;
  std::vector<const Type*> known_;  // by number of the unknown type; null: nothing
};

inline bool is_dyn_or_error(const Type& type) {
  return type.kind == Kind::kDyn || type.kind == Kind::kError;
}

}  // namespace tabernetes::cel

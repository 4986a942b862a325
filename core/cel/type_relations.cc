#include "cel/type_relations.h"

namespace tabernetes::cel {
namespace {

bool less_specific(const Type& a, const Type& b) {
  const bool a_open = a.kind == Kind::kDyn || a.kind == Kind::kParameter;
  const bool b_open = b.kind == Kind::kDyn || b.kind == Kind::kParameter;
  if (a_open || b_open) return a_open;
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::kType) return true;
  if (a.element == nullptr || b.element == nullptr) return same_type(a, b);
  return (a.key == nullptr || less_specific(*a.key, *b.key)) &&
         less_specific(*a.element, *b.element);
}

// Returns whether null is assignable: to all types but lists, maps and scalars.
bool is_nullable(const Type& type) {
  return type.kind == Kind::kNull || type.kind == Kind::kDuration ||
         type.kind == Kind::kTimestamp || type.kind >= Kind::kStruct;
}

}  // namespace

const Type* TypeRelations::new_unknown() {
  Type* type = new (arena_.allocate(sizeof(Type))) Type{};
  type->kind = Kind::kParameter;
  type->max_elements = static_cast<std::int64_t>(known_.size());
  type->name = arena_.copy("_var" + std::to_string(known_.size()));
  known_.push_back(nullptr);
  return type;
}

const Type* TypeRelations::find(const Type& type) const {
  return type.kind == Kind::kParameter ? known_[static_cast<std::size_t>(type.max_elements)]
                                       : nullptr;
}

bool TypeRelations::assignable(const Type& a, const Type& b) {
  const Type* as[] = {&a};
  const Type* bs[] = {&b};
  return assignable(as, bs, 1);
}

bool TypeRelations::assignable(const Type* const* a, const Type* const* b, std::size_t count) {
  const std::vector<const Type*> before = known_;
  for (std::size_t i = 0; i < count; ++i) {
    if (fits(*a[i], *b[i])) continue;
    known_ = before;
    return false;
  }
  return true;
}

bool TypeRelations::fits(const Type& a, const Type& b) {
  bool known = false;
  if (b.kind == Kind::kParameter) {
    if (fits_unknown(a, b, known)) return true;
    if (known) return false;
  }
  if (a.kind == Kind::kParameter) return fits_unknown(b, a, known);
  if (is_dyn_or_error(a) || is_dyn_or_error(b)) return true;
  if (a.kind == Kind::kNull) return is_nullable(b);
  if (b.kind == Kind::kNull) return is_nullable(a);
  if (a.kind != b.kind) return false;
  if (a.kind == Kind::kType) return true;
  return a.element != nullptr ? fits_parts(a, b) : same_type(a, b);
}

bool TypeRelations::fits_parts(const Type& a, const Type& b) {
  if (b.element == nullptr || (a.key == nullptr) != (b.key == nullptr)) return false;
  return (a.key == nullptr || fits(*a.key, *b.key)) && fits(*a.element, *b.element);
}

// Unifies the type parameter `unknown` with `type`. Sets `known` if the parameter was bound
// already.
bool TypeRelations::fits_unknown(const Type& type, const Type& unknown, bool& known) {
  known = true;
  if (same_type(type, unknown)) return true;
  const auto number = static_cast<std::size_t>(unknown.max_elements);
  if (const Type* found = known_[number]) {
    if (same_type(type, *found)) return true;
    if (!fits(type, *found)) return false;
    const Type& general = most_general(type, *found);
    if (!occurs_in(unknown, general)) known_[number] = &general;
    return true;
  }
  known = false;
  if (occurs_in(unknown, type)) return false;
  known_[number] = &type;
  return true;
}

const Type& TypeRelations::most_general(const Type& a, const Type& b) {
  return less_specific(a, b) ? a : b;
}

bool TypeRelations::occurs_in(const Type& unknown, const Type& type) const {
  if (same_type(unknown, type)) return true;
  if (type.kind == Kind::kParameter) {
    const Type* found = find(type);
    return found != nullptr && occurs_in(unknown, *found);
  }
  if (type.kind == Kind::kStruct) return false;
  return (type.key != nullptr && occurs_in(unknown, *type.key)) ||
         (type.element != nullptr && occurs_in(unknown, *type.element));
}

const Type* TypeRelations::substitute(const Type& type, bool to_dyn) {
  if (type.kind == Kind::kParameter) {
    if (const Type* found = find(type)) return substitute(*found, to_dyn);
    return to_dyn ? &simple_type(Kind::kDyn) : &type;
  }
  if (type.element == nullptr) return &type;
  const Type* key = type.key == nullptr ? nullptr : substitute(*type.key, to_dyn);
  const Type* element = substitute(*type.element, to_dyn);
  if (key == type.key && element == type.element) return &type;
  Type* made = new (arena_.allocate(sizeof(Type))) Type{};
  made->kind = type.kind;
  made->key = key;
  made->element = element;
  return made;
}

}  // namespace tabernetes::cel

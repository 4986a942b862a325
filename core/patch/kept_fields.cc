#include "patch/kept_fields.h"

namespace tabernetes::patch {
namespace {

constexpr std::size_t kBlock = 4 * sizeof(void*);  // overhead of an allocation

std::size_t bytes_of(const PathElement& element) {
  std::size_t bytes = 0;
  const bool has_keys =
      element.kind() == PathElement::Kind::kKey || element.kind() == PathElement::Kind::kValue;
  if (!has_keys) return bytes;
  for (const auto& key : element.keys()) {
    bytes += kBlock + sizeof key + key.first.size() + key.second.json().size();
  }
  return bytes;
}

}  // namespace

KeptFields::KeptFields(const FieldSet& fields) {
  std::size_t names = 0;
  measure(fields, names);
  bytes_ += names;
  names_.reserve(names);  // prevents reallocation, which would invalidate views
  fields_ = copy(fields);
}

void KeptFields::measure(const FieldSet& fields, std::size_t& names) {
  if (fields.empty()) return;
  bytes_ += 2 * kBlock;
  for (const FieldSet::Child& child : fields.children()) {
    names += child.element.name().size();
    bytes_ += sizeof child + bytes_of(child.element);
    measure(child.below, names);
  }
}

FieldSet KeptFields::copy(const FieldSet& fields) {
  FieldSet all;
  if (fields.empty()) return all;
  all.reserve(fields.children().size());
  for (const FieldSet::Child& child : fields.children()) {
    const bool is_field = child.element.kind() == PathElement::Kind::kField;
    const std::size_t begin = names_.size();
    names_ += child.element.name();
    FieldSet::Child& own = all.add(
        is_field ? PathElement::field(std::string_view(names_).substr(begin)) : child.element);
    own.member = child.member;
    own.below = copy(child.below);
  }
  return all;
}

}  // namespace tabernetes::patch

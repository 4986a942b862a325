#include "patch/reset_fields.h"

#include <utility>
#include <vector>

namespace tabernetes::patch {
namespace {

using Patterns = std::vector<std::string_view>;

Patterns split(std::string_view paths) {
  Patterns patterns;
  while (!paths.empty()) {
    patterns.push_back(paths.substr(0, paths.find(' ')));
    paths.remove_prefix(std::min(patterns.back().size() + 1, paths.size()));
  }
  return patterns;
}

// What is left of the patterns behind an element. `whole`: one of them ends there.
Patterns behind(const PathElement& element, const Patterns& patterns, bool& whole) {
  Patterns rest;
  for (const std::string_view pattern : patterns) {
    const std::string_view name = pattern.substr(0, pattern.find('.'));
    if (element.kind() != PathElement::Kind::kField || element.name() != name) {
      continue;
    }
    if (name.size() == pattern.size()) {
      whole = true;
    } else {
      rest.push_back(pattern.substr(name.size() + 1));
    }
  }
  return rest;
}

FieldSet left_of(const FieldSet& set, const Patterns& patterns) {
  if (patterns.empty()) return set;
  FieldSet left;
  for (const FieldSet::Child& child : set.children()) {
    bool whole = false;
    const Patterns rest = behind(child.element, patterns, whole);
    if (!whole) left.append({child.element, child.member, left_of(child.below, rest)});
  }
  return left;
}

}  // namespace

FieldSet ResetFields::outside(const FieldSet& set) const {
  if (paths.empty()) return set;
  return left_of(set, split(paths));
}

}  // namespace tabernetes::patch

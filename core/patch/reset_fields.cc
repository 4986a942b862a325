#include "patch/reset_fields.h"

#include <algorithm>
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

// Returns the rest of the patterns that match an element. Sets `whole` if one of them ends there.
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

void leave_out(FieldSet& set, const Patterns& patterns) {
  if (patterns.empty()) return;
  bool changes = false;
  for (std::size_t i = 0; i < set.children().size(); ++i) {
    bool whole = false;
    const Patterns rest = behind(set.children()[i].element, patterns, whole);
    if (!whole && rest.empty()) continue;
    changes = true;
    FieldSet::Child& child = set.edit()[i];
    if (whole) {
      child.member = false;
      child.below = {};
    } else {
      leave_out(child.below, rest);
    }
  }
  if (!changes) return;
  std::erase_if(set.edit(), [](const FieldSet::Child& c) { return !c.says_something(); });
}

}  // namespace

FieldSet ResetFields::outside(FieldSet set) const {
  leave_out(set, split(paths));
  return set;
}

bool ResetFields::has(std::string_view member) const {
  for (std::string_view rest = paths; !rest.empty();) {
    const std::string_view path = rest.substr(0, rest.find(' '));
    if (path == member) return true;
    rest.remove_prefix(std::min(path.size() + 1, rest.size()));
  }
  return false;
}

}  // namespace tabernetes::patch

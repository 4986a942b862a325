#include "patch/reset_fields.h"

#include <utility>
#include <vector>

#include "base/text/parts.h"

namespace tabernetes::patch {
namespace {

using Patterns = std::vector<std::string_view>;

Patterns patterns_of(std::string_view paths) {
  return paths.empty() ? Patterns() : split(paths, ' ');
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
  leave_out(set, patterns_of(paths));
  return set;
}

bool ResetFields::has(std::string_view member) const {
  for (std::string_view rest = paths; !rest.empty();) {
    if (take_part(rest, ' ') == member) return true;
  }
  return false;
}

}  // namespace tabernetes::patch

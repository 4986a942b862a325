#include "patch/field_set.h"

#include <algorithm>
#include <utility>

namespace tabernetes::patch {

using json::Value;

// Reads a node and all below it.
class FieldsReader {
 public:
  static bool read(const Value& fields, FieldSet& set, int depth) {
    if (!fields.is_object() || depth > FieldSet::kMaxDepth) return false;
    for (const json::Member& member : fields.members()) {
      if (member.key == ".") continue;  // said of the node itself: see below
      const std::optional<ParsedElement> parsed = parse_path_element(member.key);
      if (!parsed) return false;
      if (!parsed->known) continue;
      FieldSet::Child& child = set.child(*parsed->element);
      if (!read(member.value, child.below, depth + 1)) return false;
      child.member = child.member || child.below.empty() || member.value.find(".") != nullptr;
    }
    return true;
  }
};

std::optional<FieldSet> FieldSet::from_fields_v1(const Value& fields) {
  FieldSet set;
  if (!FieldsReader::read(fields, set, 0)) return std::nullopt;
  return set;
}

Value FieldSet::to_fields_v1(json::Arena& arena) const {
  Value fields = Value::object(arena);
  fields.reserve(arena, static_cast<std::uint32_t>(children_.size()));
  for (const Child& child : children_) {
    Value below = child.below.to_fields_v1(arena);
    if (child.member && !child.below.empty()) {
      Value with_self = Value::object(arena);
      with_self.append(arena, ".", Value::object(arena));
      for (const json::Member& member : below.members()) {
        with_self.append(arena, member.key, member.value);
      }
      below = with_self;
    }
    fields.append(arena, arena.copy(child.element.to_fields_v1()), below);
  }
  return fields;
}

const FieldSet::Child* FieldSet::find(const PathElement& element) const {
  const auto found = std::lower_bound(
      children_.begin(), children_.end(), element,
      [](const Child& child, const PathElement& wanted) { return child.element < wanted; });
  return found != children_.end() && found->element == element ? &*found : nullptr;
}

FieldSet::Child& FieldSet::child(const PathElement& element) {
  const auto place = std::lower_bound(
      children_.begin(), children_.end(), element,
      [](const Child& child, const PathElement& wanted) { return child.element < wanted; });
  if (place != children_.end() && place->element == element) return *place;
  return *children_.insert(place, Child{element, false, {}});
}

void FieldSet::append(Child child) {
  if (child.member || !child.below.empty()) children_.push_back(std::move(child));
}

bool FieldSet::has(const Path& path) const {
  const FieldSet* set = this;
  const Child* child = nullptr;
  for (const PathElement& element : path) {
    child = set->find(element);
    if (child == nullptr) return false;
    set = &child->below;
  }
  return child != nullptr && child->member;
}

void FieldSet::insert(const Path& path) {
  FieldSet* set = this;
  Child* last = nullptr;
  for (const PathElement& element : path) {
    last = &set->child(element);
    set = &last->below;
  }
  if (last != nullptr) last->member = true;
}

void FieldSet::for_each(const std::function<void(const Path&)>& visit) const {
  Path path;
  const std::function<void(const FieldSet&)> walk = [&](const FieldSet& set) {
    for (const Child& child : set.children_) {
      if (!child.member) continue;
      path.push_back(child.element);
      visit(path);
      path.pop_back();
    }
    for (const Child& child : set.children_) {
      if (child.below.empty()) continue;
      path.push_back(child.element);
      walk(child.below);
      path.pop_back();
    }
  };
  walk(*this);
}

// Both tries at once. `is_member` says what becomes of a path that is in a, in b; what only one of
// them has is kept or not.
FieldSet FieldSet::merge(const FieldSet& a, const FieldSet& b, bool (*is_member)(bool, bool),
                         bool keeps_a, bool keeps_b) {
  FieldSet result;
  auto left = a.children_.begin(), right = b.children_.begin();
  while (left != a.children_.end() || right != b.children_.end()) {
    const int order = left == a.children_.end()    ? 1
                      : right == b.children_.end() ? -1
                                                   : left->element.compare(right->element);
    if (order < 0) {
      if (keeps_a) result.children_.push_back(*left);
      ++left;
    } else if (order > 0) {
      if (keeps_b) result.children_.push_back(*right);
      ++right;
    } else {
      Child child{left->element, is_member(left->member, right->member),
                  merge(left->below, right->below, is_member, keeps_a, keeps_b)};
      if (child.member || !child.below.empty()) result.children_.push_back(std::move(child));
      ++left;
      ++right;
    }
  }
  return result;
}

FieldSet FieldSet::united(const FieldSet& other) const {
  return merge(
      *this, other, [](bool a, bool b) { return a || b; }, true, true);
}

FieldSet FieldSet::intersected(const FieldSet& other) const {
  return merge(
      *this, other, [](bool a, bool b) { return a && b; }, false, false);
}

FieldSet FieldSet::without(const FieldSet& other) const {
  return merge(
      *this, other, [](bool a, bool b) { return a && !b; }, true, false);
}

FieldSet FieldSet::without_subtrees(const FieldSet& other) const {
  FieldSet result;
  for (const Child& child : children_) {
    const Child* removed = other.find(child.element);
    if (removed == nullptr) {
      result.children_.push_back(child);
    } else if (!removed->member) {
      Child rest{child.element, child.member, child.below.without_subtrees(removed->below)};
      if (rest.member || !rest.below.empty()) result.children_.push_back(std::move(rest));
    }
  }
  return result;
}

bool FieldSet::operator==(const FieldSet& other) const {
  return std::equal(children_.begin(), children_.end(), other.children_.begin(),
                    other.children_.end(), [](const Child& a, const Child& b) {
                      return a.element == b.element && a.member == b.member && a.below == b.below;
                    });
}

}  // namespace tabernetes::patch

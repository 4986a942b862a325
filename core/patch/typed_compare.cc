#include <algorithm>
#include <utility>

#include "json/equality.h"
#include "patch/list_items.h"
#include "patch/typed.h"

namespace tabernetes::patch {
namespace {

using json::Value;

// Adds everything below a value.
void add_all(FieldSet& all, const Shape& shape, const Value& value, int depth) {
  if (!has_parts(shape, value, depth)) return;
  all.reserve(value.size());
  if (shape.is_map()) {
    MemberShapes shapes(shape);
    for (const json::Member& part : value.members()) {
      if (const auto member = shapes.next(part.key)) {
        FieldSet::Child& child = all.add(PathElement::field(part.key));
        child.member = true;
        add_all(child.below, member->shape, part.value, depth + 1);
      }
    }
    return all.sort();
  }
  const Items items = items_of(shape, &value);
  for (auto item = items.begin(); item != items.end();) {
    const Run run = run_of(item->element, item, items.end());
    FieldSet::Child& child = all.add(item->element);
    child.member = true;
    if (run.only() != nullptr) add_all(child.below, shape.item(), *run.only(), depth + 1);
    item = run.last;
  }
}

// The difference of a value itself and below it.
struct Difference {
  bool added = false, removed = false, modified = false;
  Comparison below;
};

Difference compare(const Shape& shape, const Value* left, const Value* right, int depth);

void put(FieldSet& set, const PathElement& element, bool member, FieldSet below) {
  if (!member && below.empty()) return;
  FieldSet::Child& child = set.add(element);
  child.member = member;
  child.below = std::move(below);
}

void put(Comparison& all, const PathElement& element, Difference difference) {
  put(all.added, element, difference.added, std::move(difference.below.added));
  put(all.removed, element, difference.removed, std::move(difference.below.removed));
  put(all.modified, element, difference.modified, std::move(difference.below.modified));
}

void compare_member(Comparison& all, MemberShapes& shapes, std::string_view key, const Value* left,
                    const Value* right, int depth) {
  if (const auto member = shapes.next(key)) {
    put(all, PathElement::field(key), compare(member->shape, left, right, depth + 1));
  }
}

void compare_members(Comparison& all, const Shape& shape, const Value& left, const Value& right,
                     int depth) {
  MemberShapes shapes(shape);
  for (const json::Member& member : left.members()) {
    compare_member(all, shapes, member.key, &member.value, right.find(member.key), depth);
  }
  for (const json::Member& member : right.members()) {
    if (left.find(member.key) == nullptr) {
      compare_member(all, shapes, member.key, nullptr, &member.value, depth);
    }
  }
  for (FieldSet* set : {&all.added, &all.removed, &all.modified}) set->sort();
}

// Items that occur more than once on a side are owned as one.
Difference compare_runs(const Shape& shape, const Run& left, const Run& right, int depth) {
  Difference difference;
  if (left.size() <= 1 || right.size() <= 1) {
    difference = compare(shape, left.only(), right.only(), depth + 1);
  }
  if (left.size() > 1 && right.size() > 1) {
    difference.modified = !(left == right);
  } else if (left.size() > 1) {
    difference.removed = true;
  } else if (right.size() > 1) {
    difference.added = true;
  }
  return difference;
}

void compare_items(Comparison& all, const Shape& shape, const Value& left, const Value& right,
                   int depth) {
  const Items before = items_of(shape, &left), after = items_of(shape, &right);
  const Shape item_shape = shape.item();
  auto l = before.begin(), r = after.begin();
  while (l != before.end() || r != after.end()) {
    const bool from_left = r == after.end() || (l != before.end() && !(r->element < l->element));
    const PathElement& element = from_left ? l->element : r->element;
    const Run old = run_of(element, l, before.end()), now = run_of(element, r, after.end());
    put(all, element, compare_runs(item_shape, old, now, depth));
    l = old.last;
    r = now.last;
  }
}

// Null pointers mean absent, unlike the value null.
Difference compare(const Shape& shape, const Value* left, const Value* right, int depth) {
  Difference difference;
  if (left != nullptr && right != nullptr) {
    if (json::shares_content(*left, *right)) return difference;
    const bool has_left = has_parts(shape, *left, depth);
    const bool has_right = has_parts(shape, *right, depth);
    if (has_left && has_right) {
      const auto compare_parts = shape.is_map() ? compare_members : compare_items;
      compare_parts(difference.below, shape, *left, *right, depth);
      return difference;
    }
    if (!has_left && !has_right) {
      difference.modified = !json::deep_equal(*left, *right);
      return difference;
    }
  }
  if (right != nullptr) add_all(difference.below.added, shape, *right, depth);
  if (left != nullptr) add_all(difference.below.removed, shape, *left, depth);
  difference.added = left == nullptr && right != nullptr;
  difference.removed = right == nullptr && left != nullptr;
  return difference;
}

}  // namespace

bool has_parts(const Shape& shape, const Value& value, int depth) {
  if (value.size() == 0 || depth >= FieldSet::kMaxDepth) return false;
  return shape.is_map() ? value.is_object() : shape.is_list() && value.is_array();
}

Comparison compare_typed(const Shape& shape, const Value& left, const Value& right) {
  return compare(shape, &left, &right, 0).below;
}

}  // namespace tabernetes::patch

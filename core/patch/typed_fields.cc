#include <optional>
#include <utility>

#include "patch/typed.h"

namespace tabernetes::patch {
namespace {

using json::Value;

bool is_empty_object(const Value& value) { return value.is_object() && value.size() == 0; }

struct OwnedFields {
  bool member = false;
  FieldSet below;
};

OwnedFields owned_by(const Shape& shape, const Value& value, int depth);

OwnedFields owned_by_map(const Shape& shape, const Value& map, int depth) {
  OwnedFields owned;
  MemberShapes shapes(shape);
  for (const json::Member& member : map.members()) {
    const auto schema = shapes.next(member.key);
    if (!schema) continue;
    OwnedFields part = owned_by(schema->shape, member.value, depth + 1);
    part.member |= !schema->declared || member.value.is_null() || is_empty_object(member.value);
    if (!part.member && part.below.empty()) continue;
    FieldSet::Child& child = owned.below.add(PathElement::field(member.key));
    child.member = part.member;
    child.below = std::move(part.below);
  }
  owned.below.sort();
  return owned;
}

OwnedFields owned_by_list(const Shape& shape, const Value& list, int depth) {
  OwnedFields owned;
  const Shape item_shape = shape.item();
  for (const Value& item : list.items()) {
    const auto element = shape.item_element(item);
    if (!element) continue;
    FieldSet::Child& child = owned.below.child(*element);
    const bool repeated = std::exchange(child.member, true);
    child.below = repeated ? FieldSet() : owned_by(item_shape, item, depth + 1).below;
  }
  return owned;
}

OwnedFields owned_by(const Shape& shape, const Value& value, int depth) {
  if (depth < FieldSet::kMaxDepth) {
    if (shape.is_map() && value.is_object()) return owned_by_map(shape, value, depth);
    if (shape.is_list() && value.is_array()) return owned_by_list(shape, value, depth);
  }
  return {true, {}};
}

// Returns the shape at a path element, or nullopt if the schema does not know it.
std::optional<Shape::Member> step(const Shape& shape, const PathElement& element) {
  if (element.kind() == PathElement::Kind::kField) {
    return shape.is_map() ? shape.member(element.name()) : std::nullopt;
  }
  return shape.is_list() ? std::optional(Shape::Member{shape.item(), false}) : std::nullopt;
}

// Returns whether a container is owned as a whole.
bool is_atomic(const Shape& shape) {
  if (shape.kind == Shape::Kind::kLeaf && shape.schema != nullptr) {
    return shape.schema->type == schema::JsonType::kObject ||
           shape.schema->type == schema::JsonType::kArray;
  }
  if (shape.kind != Shape::Kind::kLeaf || shape.ref == nullptr) return false;
  const schema::FieldType type = shape.ref->type;
  return type == schema::FieldType::kRef || type == schema::FieldType::kMap ||
         type == schema::FieldType::kArray;
}

}  // namespace

FieldSet field_set_of(const Shape& shape, const Value& value) {
  return owned_by(shape, value, 0).below;
}

namespace {

// Replaces the node at an index; keeps the set's nodes if nothing changes.
void replace(FieldSet& set, std::size_t i, bool member, const FieldSet& below) {
  const FieldSet::Child& child = set.children()[i];
  if (child.member == member && child.below.shares(below)) return;
  FieldSet::Child& own = set.edit()[i];
  own.member = member;
  own.below = below;
}

}  // namespace

FieldSet with_named_fields(const Shape& shape, FieldSet set) {
  for (std::size_t i = 0; i < set.children().size(); ++i) {
    const FieldSet::Child& child = set.children()[i];
    if (const auto next = step(shape, child.element)) {
      replace(set, i, child.member || next->declared, with_named_fields(next->shape, child.below));
    }
  }
  return set;
}

FieldSet reconciled(const Shape& shape, FieldSet set) {
  for (std::size_t i = 0; i < set.children().size(); ++i) {
    const FieldSet::Child& child = set.children()[i];
    if (child.below.empty()) continue;
    const auto next = step(shape, child.element);
    if (next && is_atomic(next->shape)) {
      replace(set, i, true, {});
    } else if (next) {
      replace(set, i, child.member, reconciled(next->shape, child.below));
    }
  }
  return set;
}

}  // namespace tabernetes::patch

// Tested by tests/core/patch/field_owners_test.cc.
#include "patch/field_owners.h"

#include <algorithm>
#include <map>

#include "base/algorithm/sort.h"

namespace tabernetes::patch {
namespace {

using json::Value;
using Kind = PathElement::Kind;

struct OwnedNode {
  const ManagedFieldsEntry* entry;
  const FieldSet::Child* node;
};

// A position in the object; `value` is null if it does not exist there.
struct Position {
  const Value* value;
  std::optional<Shape> shape;
  std::string path, pointer;
};

void add_token(std::string& pointer, std::string_view token) {
  pointer += '/';
  for (const char c : token) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
}

// Returns the path element of an item without a schema, using the same key fields as `like`.
std::optional<PathElement> element_like(const PathElement& like, const Value& item) {
  if (like.kind() == Kind::kValue) {
    return item.is_object() || item.is_array() ? std::nullopt
                                               : std::optional(PathElement::value(item));
  }
  if (!item.is_object()) return std::nullopt;
  json::Arena arena;
  Value key = Value::object(arena);
  for (const auto& [name, value] : like.keys()) {
    if (const Value* member = item.find(name)) key.append(arena, name, *member);
  }
  return PathElement::key(key);
}

// Finds the items of a list by path element.
class LikeItems {
 public:
  LikeItems(const Position& list, const PathElement& like) {
    if (list.value == nullptr || !list.value->is_array()) return;
    const bool known = list.shape && list.shape->is_list();
    for (const Value& item : list.value->items()) {
      const auto element = known ? list.shape->item_element(item) : element_like(like, item);
      if (element) places_.emplace(*element, static_cast<std::int64_t>(all_.size()));
      all_.push_back(&item);
    }
  }

  // Returns nullopt if there is no such item.
  std::optional<std::int64_t> find(const PathElement& element) const {
    if (element.kind() == Kind::kIndex) {
      const std::int64_t i = element.index();
      return i >= 0 && i < static_cast<std::int64_t>(all_.size()) ? std::optional(i) : std::nullopt;
    }
    const auto found = places_.find(element);
    return found == places_.end() ? std::nullopt : std::optional(found->second);
  }
  const Value* at(std::int64_t i) const { return all_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<const Value*> all_;
  std::map<PathElement, std::int64_t> places_;
};

class Walk {
 public:
  explicit Walk(std::vector<OwnedField>& fields) : fields_(fields) {}

  void below(const std::vector<OwnedNode>& children, const Position& position) {
    std::optional<LikeItems> items;
    for (auto first = children.begin(); first != children.end();) {
      const PathElement& element = first->node->element;
      const auto last = std::find_if(
          first, children.end(), [&](const OwnedNode& o) { return !(o.node->element == element); });
      if (element.kind() != Kind::kField && !items) items.emplace(position, element);
      visit({first, last}, next(position, element, items));
      first = last;
    }
  }

  static void add_children(const ManagedFieldsEntry& entry, const FieldSet& set,
                           std::vector<OwnedNode>& children) {
    for (const FieldSet::Child& child : set.children()) children.push_back({&entry, &child});
  }

  static void sort(std::vector<OwnedNode>& children) {
    sort_stable(children, [](const OwnedNode& a, const OwnedNode& b) {
      return a.node->element < b.node->element;
    });
  }

 private:
  static Position next(const Position& from, const PathElement& element,
                       const std::optional<LikeItems>& items) {
    Position to{nullptr, std::nullopt, from.path + element.to_text(), {}};
    if (element.kind() == Kind::kField) {
      if (from.shape && from.shape->is_map()) {
        if (const auto member = from.shape->member(element.name())) to.shape = member->shape;
      }
      if (from.value != nullptr) to.value = from.value->find(element.name());
      if (to.value != nullptr) add_token(to.pointer = from.pointer, element.name());
      return to;
    }
    if (from.shape && from.shape->is_list()) to.shape = from.shape->item();
    if (const auto i = items->find(element)) {
      to.value = items->at(*i);
      add_token(to.pointer = from.pointer, std::to_string(*i));
    }
    return to;
  }

  void visit(const std::vector<OwnedNode>& owned, const Position& position) {
    OwnedField field{position.path, position.pointer, {}};
    std::vector<OwnedNode> children;
    for (const OwnedNode& each : owned) {
      if (each.node->member) field.owners.push_back(each.entry);
      add_children(*each.entry, each.node->below, children);
    }
    if (!field.owners.empty()) fields_.push_back(std::move(field));
    sort(children);
    below(children, position);
  }

  std::vector<OwnedField>& fields_;
};

}  // namespace

std::vector<OwnedField> owned_fields(const ManagedFields& entries, const Value& object,
                                     const std::optional<Shape>& shape) {
  std::vector<OwnedField> fields;
  std::vector<OwnedNode> children;
  for (const ManagedFieldsEntry& entry : entries) Walk::add_children(entry, entry.fields, children);
  Walk::sort(children);
  Walk(fields).below(children, {&object, shape, {}, {}});
  return fields;
}

}  // namespace tabernetes::patch

#include "patch/field_set.h"

#include <algorithm>
#include <utility>

#include "base/sort.h"

namespace tabernetes::patch {

using json::Value;

// Reads a node and all below it.
class FieldsReader {
 public:
  static bool read(const Value& fields, FieldSet& set, int depth) {
    if (fields.is_null()) return true;
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

namespace {

std::string_view key_of(const PathElement& element, json::Arena& arena) {
  if (element.kind() != PathElement::Kind::kField) return arena.copy(element.to_fields_v1());
  const std::string_view name = element.name();
  char* const text = arena.allocate_array<char>(name.size() + 2);
  text[0] = 'f';
  text[1] = ':';
  name.copy(text + 2, name.size());
  return {text, name.size() + 2};
}

// `with_self`: the node is itself in the set, and has something below. `leaf`: an empty object, the
// same for all of them.
Value tree_of(const FieldSet& set, bool with_self, Value leaf, json::Arena& arena) {
  const auto count = static_cast<std::uint32_t>(set.children().size() + with_self);
  Value fields = Value::uninitialized_object(arena, count);
  json::Member* member = fields.members().begin();
  if (with_self) new (member++) json::Member{".", leaf};
  for (const FieldSet::Child& child : set.children()) {
    const bool ends = child.below.empty();
    new (member++) json::Member{key_of(child.element, arena),
                                ends ? leaf : tree_of(child.below, child.member, leaf, arena)};
  }
  fields.index_members(arena);
  return fields;
}

bool comes_before(const FieldSet::Child& child, const PathElement& wanted) {
  return child.element < wanted;
}

}  // namespace

Value FieldSet::to_fields_v1(json::Arena& arena) const {
  return tree_of(*this, false, Value::object(arena), arena);
}

const FieldSet::Child* FieldSet::find(const PathElement& element) const {
  const auto found = std::lower_bound(children_.begin(), children_.end(), element, comes_before);
  return found != children_.end() && found->element == element ? &*found : nullptr;
}

FieldSet::Child& FieldSet::child(const PathElement& element) {
  auto place = children_.end();
  // Most come in order.
  if (!children_.empty() && !comes_before(children_.back(), element)) {
    place = std::lower_bound(children_.begin(), children_.end(), element, comes_before);
    if (place->element == element) return *place;
  }
  return *children_.insert(place, Child(element));
}

FieldSet::Child& FieldSet::add(PathElement element) {
  return children_.emplace_back(std::move(element));
}

void FieldSet::reserve(std::size_t children) { children_.reserve(children); }

void FieldSet::sort() {
  const auto in_order = [](const Child& a, const Child& b) { return a.element < b.element; };
  const auto out_of_order = [&](const Child& a, const Child& b) { return !in_order(a, b); };
  if (std::adjacent_find(children_.begin(), children_.end(), out_of_order) == children_.end()) {
    return;
  }
  sort_stable(children_, in_order);
  // What came more than once is one.
  const auto repeated =
      std::adjacent_find(children_.begin(), children_.end(),
                         [](const Child& a, const Child& b) { return a.element == b.element; });
  if (repeated == children_.end()) return;
  std::vector<Child> each;
  for (Child& child : children_) {
    if (each.empty() || !(each.back().element == child.element)) {
      each.push_back(std::move(child));
    } else {
      each.back().member |= child.member;
      each.back().below.unite(std::move(child.below));
    }
  }
  children_ = std::move(each);
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

void FieldSet::unite(FieldSet other) {
  if (other.empty()) return;
  if (empty()) {
    *this = std::move(other);
    return;
  }
  std::vector<Child> all;
  all.reserve(children_.size() + other.children_.size());
  auto left = children_.begin(), right = other.children_.begin();
  while (left != children_.end() || right != other.children_.end()) {
    const int order = left == children_.end()          ? 1
                      : right == other.children_.end() ? -1
                                                       : left->element.compare(right->element);
    if (order == 0) {
      left->member |= right->member;
      left->below.unite(std::move(right->below));
      ++right;
    }
    all.push_back(std::move(order > 0 ? *right++ : *left++));
  }
  children_ = std::move(all);
}

// Of the paths that both have, keeps all or none; of the others, too.
void FieldSet::meet(const FieldSet& other, bool keeps_rest) {
  auto right = other.children_.begin();
  for (Child& child : children_) {
    int order = -1;
    while (right != other.children_.end() && (order = child.element.compare(right->element)) > 0) {
      ++right;
    }
    if (right != other.children_.end() && order == 0) {
      child.member = child.member && right->member != keeps_rest;
      child.below.meet(right->below, keeps_rest);
    } else if (!keeps_rest) {
      child.member = false;
      child.below.children_.clear();
    }
  }
  std::erase_if(children_, [](const Child& child) { return !child.says_something(); });
}

FieldSet FieldSet::united(const FieldSet& other) const {
  FieldSet set = *this;
  set.unite(other);
  return set;
}

FieldSet FieldSet::intersected(const FieldSet& other) const {
  FieldSet set = *this;
  set.intersect(other);
  return set;
}

FieldSet FieldSet::without(const FieldSet& other) const {
  FieldSet set = *this;
  set.subtract(other);
  return set;
}

bool FieldSet::operator==(const FieldSet& other) const {
  return std::equal(children_.begin(), children_.end(), other.children_.begin(),
                    other.children_.end(), [](const Child& a, const Child& b) {
                      return a.element == b.element && a.member == b.member && a.below == b.below;
                    });
}

}  // namespace tabernetes::patch

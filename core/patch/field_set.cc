#include "patch/field_set.h"

#include <algorithm>
#include <utility>

#include "base/algorithm/sort.h"

namespace tabernetes::patch {

using json::Value;

// Reads a node and everything below it.
class FieldsReader {
 public:
  static bool read(const Value& fields, FieldSet& set, int depth) {
    if (fields.is_null()) return true;
    if (!fields.is_object() || depth > FieldSet::kMaxDepth) return false;
    if (!fields.members().empty()) set.reserve(fields.size());
    for (const json::Member& member : fields.members()) {
      if (member.key == ".") continue;  // means the node itself: see below
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

// `with_self`: the node itself is in the set, and has children. `leaf` is a shared empty object.
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

std::vector<FieldSet::Child>& FieldSet::edit() {
  if (children_ == nullptr || children_.use_count() > 1) {
    const std::span<const Child> shared = children();
    children_ = std::make_shared<std::vector<Child>>(shared.begin(), shared.end());
  }
  return *children_;
}

const FieldSet::Child* FieldSet::find(const PathElement& element) const {
  const std::span<const Child> all = children();
  const auto found = std::lower_bound(all.begin(), all.end(), element, comes_before);
  return found != all.end() && found->element == element ? &*found : nullptr;
}

FieldSet::Child& FieldSet::child(const PathElement& element) {
  std::vector<Child>& all = edit();
  auto place = all.end();
  // Fast path: elements mostly arrive in order.
  if (!all.empty() && !comes_before(all.back(), element)) {
    place = std::lower_bound(all.begin(), all.end(), element, comes_before);
    if (place->element == element) return *place;
  }
  return *all.insert(place, Child(element));
}

FieldSet::Child& FieldSet::add(PathElement element) {
  return edit().emplace_back(std::move(element));
}

void FieldSet::reserve(std::size_t children) { edit().reserve(children); }

void FieldSet::sort() {
  const auto in_order = [](const Child& a, const Child& b) { return a.element < b.element; };
  const auto out_of_order = [&](const Child& a, const Child& b) { return !in_order(a, b); };
  const std::span<const Child> all = children();
  if (std::adjacent_find(all.begin(), all.end(), out_of_order) == all.end()) return;
  std::vector<Child>& own = edit();
  sort_stable(own, in_order);
  // Merges duplicates.
  const auto repeated =
      std::adjacent_find(own.begin(), own.end(),
                         [](const Child& a, const Child& b) { return a.element == b.element; });
  if (repeated == own.end()) return;
  std::vector<Child> each;
  for (Child& child : own) {
    if (each.empty() || !(each.back().element == child.element)) {
      each.push_back(std::move(child));
    } else {
      each.back().member |= child.member;
      each.back().below.unite(child.below);
    }
  }
  own = std::move(each);
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
    for (const Child& child : set.children()) {
      if (!child.member) continue;
      path.push_back(child.element);
      visit(path);
      path.pop_back();
    }
    for (const Child& child : set.children()) {
      if (child.below.empty()) continue;
      path.push_back(child.element);
      walk(child.below);
      path.pop_back();
    }
  };
  walk(*this);
}

namespace {

using Child = FieldSet::Child;
using Children = std::span<const Child>;

// Iterates over both in order and calls back for each element with the children that have it, or
// null. Returns true if every callback did.
template <class Visit>
bool in_step(const Children& left, const Children& right, const Visit& visit) {
  auto l = left.begin(), r = right.begin();
  while (l != left.end() || r != right.end()) {
    const int order = l == left.end() ? 1 : r == right.end() ? -1 : l->element.compare(r->element);
    if (!visit(order > 0 ? nullptr : &*l, order < 0 ? nullptr : &*r)) return false;
    if (order <= 0) ++l;
    if (order >= 0) ++r;
  }
  return true;
}

}  // namespace

bool FieldSet::includes(const FieldSet& other) const {
  if (shares(other) || other.empty()) return true;
  return in_step(children(), other.children(), [](const Child* own, const Child* wanted) {
    if (wanted == nullptr) return true;
    return own != nullptr && (own->member || !wanted->member) && own->below.includes(wanted->below);
  });
}

bool FieldSet::meets(const FieldSet& other) const {
  if (empty() || other.empty()) return false;
  return !in_step(children(), other.children(), [](const Child* left, const Child* right) {
    return left == nullptr || right == nullptr ||
           !((left->member && right->member) || left->below.meets(right->below));
  });
}

void FieldSet::unite(const FieldSet& other) {
  if (includes(other)) return;
  if (empty()) {
    *this = other;
    return;
  }
  std::vector<Child> all;
  all.reserve(children().size() + other.children().size());
  auto left = edit().begin();
  auto right = other.children().begin();
  while (left != children_->end() || right != other.children().end()) {
    const int order = left == children_->end()          ? 1
                      : right == other.children().end() ? -1
                                                        : left->element.compare(right->element);
    if (order > 0) {
      all.push_back(*right);
    } else {
      all.push_back(std::move(*left));
    }
    if (order == 0) {
      all.back().member |= right->member;
      all.back().below.unite(right->below);
    }
    if (order <= 0) ++left;
    if (order >= 0) ++right;
  }
  *children_ = std::move(all);
}

// Removes the paths common with `other` if `keeps_rest`, otherwise all others.
void FieldSet::meet(const FieldSet& other, bool keeps_rest) {
  if (keeps_rest ? !meets(other) : other.includes(*this)) return;
  auto right = other.children().begin();
  std::vector<Child>& own = edit();
  for (Child& child : own) {
    int order = -1;
    while (right != other.children().end() && (order = child.element.compare(right->element)) > 0) {
      ++right;
    }
    if (right != other.children().end() && order == 0) {
      child.member = child.member && right->member != keeps_rest;
      child.below.meet(right->below, keeps_rest);
    } else if (!keeps_rest) {
      child.member = false;
      child.below = {};
    }
  }
  std::erase_if(own, [](const Child& child) { return !child.says_something(); });
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
  return shares(other) ||
         std::equal(children().begin(), children().end(), other.children().begin(),
                    other.children().end(), [](const Child& a, const Child& b) {
                      return a.element == b.element && a.member == b.member && a.below == b.below;
                    });
}

}  // namespace tabernetes::patch

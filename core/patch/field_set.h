// A set of field paths, as owned by a field manager: a trie in canonical order. Copies share nodes
// until one of them is changed. Source: spec/patch-apply.md 6.2; sigs.k8s.io/structured-merge-diff.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "json/value.h"
#include "patch/path_element.h"

namespace tabernetes::patch {

class FieldSet {
 public:
  struct Child;

  // The maximum depth of paths; deeper ones are rejected when read.
  static constexpr int kMaxDepth = 512;

  // Reads FieldsV1; returns nullopt if malformed.
  static std::optional<FieldSet> from_fields_v1(const json::Value& fields);
  // Returns its canonical FieldsV1; the texts live in the arena.
  json::Value to_fields_v1(json::Arena& arena) const;

  bool empty() const;
  std::span<const Child> children() const;  // in canonical order
  // Returns the children for editing in place. The caller must keep the elements unique and remove
  // children that are neither members nor have children.
  std::vector<Child>& edit();
  // Returns true if both are the same nodes; they may be equal otherwise, too.
  bool shares(const FieldSet& other) const { return children_ == other.children_; }
  bool has(const Path& path) const;
  bool includes(const FieldSet& other) const;
  // Returns whether they have a path in common.
  bool meets(const FieldSet& other) const;
  void insert(const Path& path);
  // Returns the child, adding it if missing: the caller must make it a member or add children to
  // it.
  Child& child(const PathElement& element);
  // Appends a child, to be filled in and later moved into order by sort().
  Child& add(PathElement element);
  void sort();
  void reserve(std::size_t children);
  const Child* find(const PathElement& element) const;
  // Calls back for each path: first the members of a node, then its descendants.
  void for_each(const std::function<void(const Path&)>& visit) const;

  // Modify in place; a form that returns a new set follows. Nodes are kept if nothing changes.
  void unite(const FieldSet& other);
  void intersect(const FieldSet& other) { meet(other, false); }
  // Removes the paths of `other`, but not those above and below them.
  void subtract(const FieldSet& other) { meet(other, true); }
  FieldSet united(const FieldSet& other) const;
  FieldSet intersected(const FieldSet& other) const;
  FieldSet without(const FieldSet& other) const;

  bool operator==(const FieldSet& other) const;

 private:
  void meet(const FieldSet& other, bool keeps_rest);
  // sorted; every child is a member or has children; null if empty.
  std::shared_ptr<std::vector<Child>> children_;
};

struct FieldSet::Child {
  explicit Child(PathElement path_element) : element(std::move(path_element)) {}

  PathElement element;
  bool member = false;  // the path to it is in the set
  FieldSet below;

  bool says_something() const { return member || !below.empty(); }
};

inline bool FieldSet::empty() const { return children_ == nullptr || children_->empty(); }

inline std::span<const FieldSet::Child> FieldSet::children() const {
  return children_ == nullptr ? std::span<const Child>() : std::span<const Child>(*children_);
}

}  // namespace tabernetes::patch

// A set of paths to fields: what a manager owns. A trie in canonical order, of which copies share
// nodes until one of them is changed.
// Source: spec/patch-apply.md 6.2; sigs.k8s.io/structured-merge-diff.
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

  // Paths deeper than this are refused on reading.
  static constexpr int kMaxDepth = 512;

  // Reads FieldsV1. Nothing: malformed.
  static std::optional<FieldSet> from_fields_v1(const json::Value& fields);
  // Its canonical form; its texts live in the arena.
  json::Value to_fields_v1(json::Arena& arena) const;

  bool empty() const;
  std::span<const Child> children() const;  // in canonical order
  // To be changed in place, before anybody copies the set: no element, and none may be left that
  // says nothing.
  std::vector<Child>& edit();
  // The very same nodes. False says nothing.
  bool shares(const FieldSet& other) const { return children_ == other.children_; }
  bool has(const Path& path) const;
  bool includes(const FieldSet& other) const;
  // Whether they have a path in common.
  bool meets(const FieldSet& other) const;
  void insert(const Path& path);
  // The child, added if there is none: it is to be made a member or get something below.
  Child& child(const PathElement& element);
  // Adds a child, to be filled, and to be put in order later by sort().
  Child& add(PathElement element);
  void sort();
  void reserve(std::size_t children);
  const Child* find(const PathElement& element) const;
  // Calls back for each path: the members of a node first, then what is below.
  void for_each(const std::function<void(const Path&)>& visit) const;

  // In place; each has a form that makes another set. What changes nothing keeps the nodes.
  void unite(const FieldSet& other);
  void intersect(const FieldSet& other) { meet(other, false); }
  // Takes away the paths of `other`; what is above and below them stays.
  void subtract(const FieldSet& other) { meet(other, true); }
  FieldSet united(const FieldSet& other) const;
  FieldSet intersected(const FieldSet& other) const;
  FieldSet without(const FieldSet& other) const;

  bool operator==(const FieldSet& other) const;

 private:
  void meet(const FieldSet& other, bool keeps_rest);
  std::shared_ptr<std::vector<Child>> children_;  // sorted; none says nothing; null: none
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

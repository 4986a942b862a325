// A set of paths to fields: what a manager owns. A trie in canonical order.
// Source: spec/patch-apply.md 6.2; sigs.k8s.io/structured-merge-diff.
#pragma once

#include <functional>
#include <optional>
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

  bool empty() const { return children_.empty(); }
  const std::vector<Child>& children() const { return children_; }  // in canonical order
  bool has(const Path& path) const;
  void insert(const Path& path);
  // The child, added if there is none: it is to be made a member or get something below.
  Child& child(const PathElement& element);
  // Adds a child that comes after all others; nothing if it says nothing.
  void append(Child child);
  const Child* find(const PathElement& element) const;
  // Calls back for each path: the members of a node first, then what is below.
  void for_each(const std::function<void(const Path&)>& visit) const;

  FieldSet united(const FieldSet& other) const;
  FieldSet intersected(const FieldSet& other) const;
  // Without the paths of `other`; what is above and below them stays.
  FieldSet without(const FieldSet& other) const;
  // Without the paths of `other` and all below them.
  FieldSet without_subtrees(const FieldSet& other) const;

  bool operator==(const FieldSet& other) const;

 private:
  static FieldSet merge(const FieldSet& a, const FieldSet& b, bool (*is_member)(bool, bool),
                        bool keeps_a, bool keeps_b);
  std::vector<Child> children_;  // sorted; none is neither a member nor has children
};

struct FieldSet::Child {
  PathElement element;
  bool member = false;  // the path to it is in the set
  FieldSet below;
};

}  // namespace tabernetes::patch

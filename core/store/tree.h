// An ordered copy-on-write tree from key to record. Keys compare bytewise.
//
// A Tree is an immutable value: copying it is constant time and shares everything, and it may be
// read, copied and dropped on any thread. A TreeWriter derives new ones from it; a write copies the
// one path that it changes, and only those nodes of it that a Tree may share.
//
// It is a B+-tree of 32-way nodes: leaves hold records, inner nodes hold lower bounds and the
// number of records below, and each node the bytes of its records. Each node has the number of the
// epoch that made it; a writer begins a new epoch when it has handed out a Tree, and changes only
// nodes of its present epoch in place. So it need not read reference counts, which another thread
// might be changing. Epoch numbers of different writers do not collide: a writer begins above all
// numbers of the tree that it begins with, and sees no nodes other than those and its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "store/record.h"

namespace tabernetes::store {

class Tree {
 public:
  Tree() = default;

  std::size_t size() const;
  RecordPtr find(std::string_view key) const;  // null if missing

  // Returns the number of keys in [from, to); an empty `to` is the end. Logarithmic.
  std::size_t count(std::string_view from, std::string_view to) const;

  // The records of a range, and the bytes of all of them together.
  struct Extent {
    std::size_t records = 0;
    std::uint64_t bytes = 0;
    friend bool operator==(const Extent&, const Extent&) = default;
  };
  // Returns the extent of [from, to); an empty `to` is the end. Logarithmic.
  Extent extent(std::string_view from, std::string_view to) const;

  // Calls `visit(key, record)` for keys in [from, to) in order until it returns false; an empty
  // `to` is the end.
  using Visitor = std::function<bool(std::string_view key, const RecordPtr& record)>;
  void scan(std::string_view from, std::string_view to, const Visitor& visit) const;

 private:
  friend class TreeWriter;
  using Epoch = std::uint64_t;
  struct Node;
  struct Leaf;
  struct Inner;
  class Editor;

  std::shared_ptr<Node> root_;  // null if empty
  Epoch epoch_ = 0;             // the greatest of all nodes, or above
};

class TreeWriter {
 public:
  TreeWriter() = default;
  explicit TreeWriter(Tree tree) : tree_(std::move(tree)) {}
  TreeWriter(const TreeWriter&) = delete;
  TreeWriter& operator=(const TreeWriter&) = delete;

  std::size_t size() const { return tree_.size(); }
  RecordPtr find(std::string_view key) const { return tree_.find(key); }

  // Stores the record under record->key, which must not change from now on. REQUIRES: record.
  void put(RecordPtr record);
  bool erase(std::string_view key);  // false if there was no such key

  // Returns the present state, which later writes do not change. Constant time. Ends the epoch.
  Tree tree() const {
    given_ = true;
    return tree_;
  }
  // Returns the present state to be read before the next write and not copied; does not end the
  // epoch.
  const Tree& present() const { return tree_; }
  // Continues from another tree.
  void reset(Tree tree) {
    tree_ = std::move(tree);
    given_ = true;
  }

 private:
  Tree::Editor edit();

  Tree tree_;
  mutable bool given_ = true;  // a Tree may share the nodes of the present epoch
};

// Returns the first key after every key that begins with `prefix`; empty if there is none.
std::string prefix_end(std::string_view prefix);

}  // namespace tabernetes::store

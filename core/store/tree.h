// An ordered copy-on-write tree from key to record. Keys compare bytewise.
//
// A Tree is a value that never changes: copying it is constant time and shares everything, and it
// may be read, copied and dropped on any thread. A TreeWriter makes new ones out of it; a write
// copies the one path that it changes, and only those nodes of it that a Tree may have seen.
//
// A B+-tree of 32-way nodes: leaves hold records, inner nodes hold lower bounds and the number of
// records below. Each node has the number of the epoch that made it; a writer begins a new epoch
// when it has given a Tree away, and changes only nodes of its present one in place. So no count of
// references is asked, which another thread might just be changing. Numbers of different writers do
// not meet: a writer begins above all numbers of the tree that it begins with, and sees no other
// nodes than those and its own.
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
  RecordPtr find(std::string_view key) const;  // null if there is none

  // Number of keys in [from, to); an empty `to` is the end. Logarithmic.
  std::size_t count(std::string_view from, std::string_view to) const;

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

  std::shared_ptr<Node> root_;  // null: empty
  Epoch epoch_ = 0;             // no node has a greater one
};

class TreeWriter {
 public:
  TreeWriter() = default;
  explicit TreeWriter(Tree tree) : tree_(std::move(tree)) {}
  TreeWriter(const TreeWriter&) = delete;
  TreeWriter& operator=(const TreeWriter&) = delete;

  std::size_t size() const { return tree_.size(); }
  RecordPtr find(std::string_view key) const { return tree_.find(key); }

  // Sets the record of record->key, which stays as it is from now on. REQUIRES: record.
  void put(RecordPtr record);
  bool erase(std::string_view key);  // false if there was none

  // What has been written so far; later writes leave it as it is. Constant time.
  Tree tree() const {
    given_ = true;
    return tree_;
  }
  // The same, to be read before the next write and not to be copied: no epoch ends.
  const Tree& present() const { return tree_; }
  // Goes on from another tree.
  void reset(Tree tree) {
    tree_ = std::move(tree);
    given_ = true;
  }

 private:
  Tree::Editor edit();

  Tree tree_;
  mutable bool given_ = true;  // a Tree may share the nodes of the present epoch
};

// The first key after every key that begins with `prefix`; empty if there is none.
std::string prefix_end(std::string_view prefix);

}  // namespace tabernetes::store

// An ordered copy-on-write tree from key to record. Copying a Tree is constant time and shares
// everything; a write copies the one path that it changes, and only those nodes of it that another
// Tree still shares. Keys compare bytewise.
//
// A B+-tree of 32-way nodes: leaves hold records, inner nodes hold lower bounds and the number of
// records below. A Tree may be read from any thread while no thread writes that same Tree object.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

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

  // Sets the record of record->key, which stays as it is from now on. REQUIRES: record.
  void put(RecordPtr record);
  bool erase(std::string_view key);  // false if there was none

 private:
  struct Node;
  struct Leaf;
  struct Inner;
  class Editor;

  std::shared_ptr<Node> root_;  // null: empty
};

// The first key after every key that begins with `prefix`; empty if there is none.
std::string prefix_end(std::string_view prefix);

}  // namespace tabernetes::store

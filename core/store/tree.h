// An ordered copy-on-write tree from key to record. Copying a Tree is constant time and shares
// everything; a write copies one path. Keys compare bytewise.
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

  // Calls `visit(key, record)` for keys in [from, to) in order until it returns false.
  using Visitor = std::function<bool(std::string_view key, const RecordPtr& record)>;
  void scan(std::string_view from, std::string_view to, const Visitor& visit) const;

  void put(std::string_view key, RecordPtr record);
  bool erase(std::string_view key);  // false if there was none

 private:
  struct Node;
  std::shared_ptr<const Node> root_;
};

// The first key after every key that begins with `prefix`; empty if there is none.
std::string prefix_end(std::string_view prefix);

}  // namespace tabernetes::store

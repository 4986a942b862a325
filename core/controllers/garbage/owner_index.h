// An index from the uid of an owner to the objects whose ownerReferences name it.
//
// A copy-on-write tree like the store's, so that a fork shares it: one small record for each
// reference, at OWNER-UID/KEY-OF-THE-DEPENDENT.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "store/tree.h"

namespace tabernetes::controllers {

class OwnerIndex {
 public:
  struct Dependent {
    std::string key;        // key in the store
    bool blocking = false;  // blocks its owner's deletion
  };

  OwnerIndex() = default;
  OwnerIndex(const OwnerIndex& other) : tree_(other.tree_.tree()) {}
  OwnerIndex& operator=(const OwnerIndex&) = delete;

  // Adds or updates the dependent.
  void put(std::string_view owner, std::string_view key, bool blocking);
  void erase(std::string_view owner, std::string_view key);
  void clear() { tree_.reset({}); }

  std::vector<Dependent> dependents(std::string_view owner) const;  // in key order
  bool has_dependents(std::string_view owner) const;

 private:
  store::TreeWriter tree_;
};

}  // namespace tabernetes::controllers
